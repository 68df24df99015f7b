package org.rpx.agent.arrays;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be read, in words. */
final class Reason {
  private Reason() {}

  /** One line, without the file's name. */
  static String of(IOException e) {
    if (e instanceof NoSuchFileException) return "no such file";
    if (e instanceof AccessDeniedException) return "permission denied";
    if (e instanceof FileSystemException f && f.getReason() != null) return f.getReason();
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
