package org.rpx.agent;

import java.nio.file.Path;

/** Where a model comes from. */
public sealed interface ModelSource {

  /** As a user writes it. */
  String text();

  /** A TorchScript file or a torch.export program. */
  record File(String text, Path path) implements ModelSource {}

  /** A model behind a remote API: nothing about it can be counted or timed here. */
  record Api(String name) implements ModelSource {
    @Override
    public String text() {
      return "api:" + name;
    }
  }

  /** A model that comes with the agent: "resnet18". */
  record Demo(String name) implements ModelSource {
    @Override
    public String text() {
      return "demo:" + name;
    }
  }

  /** A TorchScript file or a torch.export program. */
  static ModelSource of(Path path) {
    return new File(path.toString(), path);
  }

  /**
   * Reads what a command line says: a file's path, {@code demo:NAME} or {@code api:NAME}.
   *
   * @throws IllegalArgumentException where no name follows
   */
  static ModelSource parse(String text) {
    if (text.startsWith("demo:")) return new Demo(named(text, "demo:resnet18"));
    if (text.startsWith("api:")) return new Api(named(text, "api:gpt-4o"));
    if (text.isBlank())
      throw new IllegalArgumentException("the model's name is empty: give a file");
    return new File(text, Path.of(text));
  }

  private static String named(String text, String example) {
    String name = text.substring(text.indexOf(':') + 1);
    if (name.isBlank())
      throw new IllegalArgumentException(
          text + " has no name behind the colon: for example " + example);
    return name;
  }
}
