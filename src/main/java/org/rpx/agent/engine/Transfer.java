package org.rpx.agent.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * One kind of copy between host and device, or nothing between two events.
 *
 * @param name "floor", "h2d_pinned", "h2d_pageable", "d2h_pinned", "d2h_pageable"
 * @param reason why there are no times; null where there are
 * @param bytes copied in a round; 0 for "floor"
 * @param ns each round's nanoseconds; empty where there is a reason
 */
public record Transfer(String name, String reason, long bytes, long[] ns) {
  static List<Transfer> read(RecordReader r) {
    List<Transfer> all = new ArrayList<>();
    while (r.more()) {
      String name = r.string();
      String reason = r.string();
      long bytes = r.number();
      long[] ns = new long[Math.toIntExact(r.number())];
      for (int i = 0; i < ns.length; i++) ns[i] = r.number();
      all.add(new Transfer(name, reason.isEmpty() ? null : reason, bytes, ns));
    }
    return all;
  }
}
