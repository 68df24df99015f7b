package org.rpx.agent.host;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The Java machine as far as it may change a measurement. Not through java.lang.management: loading
 * it takes 50 ms, a good part of a short run, and Linux tells the same in its files.
 */
final class JvmFacts {
  /** Options of the launcher whose value is the next word. */
  private static final Set<String> TAKE_A_VALUE =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--upgrade-module-path",
          "--add-modules",
          "--limit-modules",
          "--add-reads",
          "--add-exports",
          "--add-opens",
          "--patch-module",
          "--source");

  private JvmFacts() {}

  /** version, vendor, vm, collector, arguments: those that are known, in this order. */
  static Map<String, Object> read(Tree tree, Map<String, String> environment) {
    List<String> arguments = arguments(tree, environment);
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("version", System.getProperty("java.runtime.version"));
    facts.put("vendor", System.getProperty("java.vendor"));
    facts.put("vm", System.getProperty("java.vm.name"));
    String collector = collector(tree, arguments);
    if (collector != null) {
      facts.put("collector", collector);
    }
    if (!arguments.isEmpty()) {
      facts.put("arguments", arguments);
    }
    return facts;
  }

  /**
   * The options that size or steer the machine, from the environment and the command line, in the
   * order in which they take effect. System properties are left out: they may hold secrets.
   */
  static List<String> arguments(Tree tree, Map<String, String> environment) {
    List<String> arguments = new ArrayList<>();
    for (String name : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")) {
      for (String word : environment.getOrDefault(name, "").split(" ")) {
        addRelevant(arguments, word);
      }
    }
    String command = tree.text("proc/self/cmdline");
    String[] words = command == null ? new String[0] : command.split("\0");
    for (int i = 1; i < words.length; i++) {
      if (words[i].equals("-jar") || !(words[i].startsWith("-") || words[i].startsWith("@"))) {
        break; // What follows is the program's own.
      }
      addRelevant(arguments, words[i]);
      i += TAKE_A_VALUE.contains(words[i]) ? 1 : 0;
    }
    for (String word : environment.getOrDefault("_JAVA_OPTIONS", "").split(" ")) {
      addRelevant(arguments, word);
    }
    return arguments;
  }

  private static void addRelevant(List<String> arguments, String word) {
    if (word.startsWith("-X")) {
      arguments.add(word);
    } else if (word.startsWith("-javaagent:") || word.startsWith("-agent")) {
      // An agent slows the program; its options may hold secrets.
      arguments.add(word.split("=", 2)[0]);
    } else if (word.startsWith("@")) {
      arguments.add("@argfile");
    }
  }

  /** The collector: the one asked for or else the one whose threads run; null if unknown. */
  static String collector(Tree tree, List<String> arguments) {
    String collector = null;
    for (String argument : arguments) {
      if (argument.startsWith("-XX:+Use") && argument.endsWith("GC")) {
        collector = argument.substring("-XX:+Use".length(), argument.length() - "GC".length());
      }
    }
    for (String id : collector == null ? tree.names("proc/self/task") : List.<String>of()) {
      String thread = tree.text("proc/self/task/" + id + "/comm");
      if (thread == null) {
        continue;
      } else if (thread.startsWith("G1 ")) {
        return "G1";
      } else if (thread.equals("ZDirector")) {
        return "Z";
      } else if (thread.startsWith("Shenandoah")) {
        return "Shenandoah";
      } else if (thread.startsWith("GC Thread")) {
        collector = "Parallel"; // Unless a thread of G1's comes, which has these as well.
      } else if (thread.equals("VM Thread") && collector == null) {
        collector = "Serial"; // Every HotSpot has this one; Serial has no other.
      }
    }
    return collector;
  }
}
