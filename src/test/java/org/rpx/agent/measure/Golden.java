package org.rpx.agent.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Tables of src/test/python/make_statistics_golden.py: a map from column to text, a row. */
final class Golden {
  private Golden() {}

  static List<Map<String, String>> rows(String name) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Golden.class.getResourceAsStream("/statistics/" + name)),
                StandardCharsets.UTF_8))) {
      String[] heads = reader.readLine().split(",");
      List<Map<String, String>> rows = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.split(",", -1);
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < heads.length; i++) row.put(heads[i], cells[i]);
        rows.add(row);
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
