package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What of a program cannot be run, all of it at once: the first few by name, the others counted. A
 * damaged file may name any number.
 */
final class Refusals {
  private static final int MOST_NAMED = 20;

  private final Set<String> named = new LinkedHashSet<>();
  private int more;

  /**
   * Takes one up.
   *
   * @param what and why, as an item of a list: "its input state (as_custom_obj)"
   */
  void add(String what) {
    if (named.contains(what)) return;
    if (named.size() < MOST_NAMED) named.add(what);
    else more++;
  }

  List<String> named() {
    return new ArrayList<>(named);
  }

  /** How many beyond those. */
  int more() {
    return more;
  }
}
