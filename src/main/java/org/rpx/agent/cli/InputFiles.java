package org.rpx.agent.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rpx.agent.arrays.ArrayFile;
import org.rpx.agent.trace.InputSpec;

/** What --input-file names: inputs, or sets of them that take turns. */
final class InputFiles {
  private static final Pattern NAMED =
      Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_]*)=(.+)", Pattern.DOTALL);

  private InputFiles() {}

  /**
   * The sets of inputs: one, unless an option names several files. An option that names one has it
   * in every set.
   *
   * @param others inputs of each set, in front of those of files
   * @param options values of --input-file
   * @throws IllegalArgumentException where two options name different numbers of files, above one
   */
  static List<List<InputSpec>> sets(List<InputSpec> others, List<String> options) {
    List<List<List<InputSpec>>> given = new ArrayList<>();
    int sets = 1;
    String longest = null;
    for (String option : options) {
      List<List<InputSpec>> files = files(option);
      if (files.size() > 1 && sets > 1 && files.size() != sets)
        throw new IllegalArgumentException(
            "--input-file "
                + longest
                + " names "
                + sets
                + " files and "
                + option
                + " "
                + files.size()
                + ": those that take turns are as many, or one for all turns");
      if (files.size() > 1) {
        sets = files.size();
        longest = option;
      }
      given.add(files);
    }
    List<List<InputSpec>> all = new ArrayList<>();
    for (int i = 0; i < sets; i++) {
      List<InputSpec> set = new ArrayList<>(others);
      for (List<List<InputSpec>> files : given) set.addAll(files.get(files.size() > 1 ? i : 0));
      all.add(set);
    }
    return all;
  }

  /** The inputs of each file. */
  private static List<List<InputSpec>> files(String option) {
    // A path with an equals sign begins with ./ to be told from a name.
    Matcher named = NAMED.matcher(option);
    boolean isNamed = named.matches();
    String paths = isNamed ? named.group(2) : option;
    String name = isNamed ? named.group(1) : null;
    // A comma may as well be a file's own.
    boolean one = !paths.contains(",") || Files.exists(Path.of(paths));
    List<List<InputSpec>> files = new ArrayList<>();
    for (String path : one ? new String[] {paths} : paths.split(",", -1)) {
      if (path.isEmpty())
        throw new IllegalArgumentException(
            "--input-file " + option + " has an empty name: write a.npz,b.npz");
      files.add(ArrayFile.read(name, Path.of(path)));
    }
    return files;
  }
}
