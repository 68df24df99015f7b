package org.rpx.agent.exported;

import java.util.List;

/**
 * A program laid out for native code (docs/native.md, layout "program"), as {@code NativeSession}
 * loads it. Not to be changed.
 *
 * @param numbers the layout
 * @param words strings that numbers index
 * @param outputs paths of what it gives back, in order: "0", "logits", "state.1"
 */
public record FlatProgram(long[] numbers, List<String> words, List<String> outputs) {}
