package org.rpx.agent.monitor;

import java.nio.file.Path;

/**
 * How a black box fares.
 *
 * @param path its ring file
 * @param problem why nothing is recorded, or the last miss report failed, with the remedy; null
 *     where all is well
 * @param recording whether cycles reach the file
 * @param missReports JSON files written after deadline misses
 * @param missesUnreported deadline misses that no file was written for: within 10 s of the last
 *     one, or beyond the most that are kept
 */
public record BlackBoxState(
    Path path, boolean recording, String problem, long missReports, long missesUnreported) {}
