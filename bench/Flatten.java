// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Path;
import org.rpx.agent.exported.ExportedProgram;

/** Prints a torch.export program as bench/exported.cpp reads it: words, then numbers. */
public final class Flatten {
  public static void main(String[] arguments) {
    var flat = ExportedProgram.read(Path.of(arguments[0])).flat();
    StringBuilder text = new StringBuilder().append(flat.words().size()).append('\n');
    flat.words().forEach(w -> text.append(w.replaceAll("[\\n\\x00]", " ")).append('\n'));
    for (long n : flat.numbers()) text.append(n).append('\n');
    System.out.print(text);
  }
}
