package org.rpx.agent.exported;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** A copy of an archive of torch.export whose program says something else. */
public final class EditedProgram {
  private static final ObjectMapper JSON = new ObjectMapper();

  private EditedProgram() {}

  /** Writes it to a folder, under the name that it has. */
  public static Path write(Path archive, Path folder, Consumer<JsonNode> edit) throws IOException {
    Path file = folder.resolve(archive.getFileName());
    try (ZipFile zip = new ZipFile(archive.toFile());
        OutputStream out = Files.newOutputStream(file);
        ZipOutputStream edited = new ZipOutputStream(out)) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        edited.putNextEntry(new ZipEntry(entry.getName()));
        edited.write(entry.getName().contains("/models/") ? edited(bytes, edit) : bytes);
      }
    }
    return file;
  }

  private static byte[] edited(byte[] bytes, Consumer<JsonNode> edit) throws IOException {
    JsonNode program = JSON.readTree(bytes);
    edit.accept(program);
    return JSON.writeValueAsBytes(program);
  }
}
