package org.rpx.agent.cli;

import java.util.ArrayList;
import java.util.List;

/** A command line's words, for handing it on to another process. */
record Words(List<String> all) {
  /**
   * The words without some options, whichever way they are written ("--sweep A", "--sweep=A").
   *
   * @param valued options that have a value
   * @param flag an option that has none
   */
  List<String> without(List<String> valued, String flag) {
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      String word = all.get(i);
      int equals = word.indexOf('=');
      if (valued.contains(word)) i++; // and its value
      else if (!word.equals(flag) && !(equals > 0 && valued.contains(word.substring(0, equals))))
        kept.add(word);
    }
    return kept;
  }
}
