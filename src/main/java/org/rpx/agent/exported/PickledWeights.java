package org.rpx.agent.exported;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.exported.Payload.Region;

/**
 * The weights of an archive that torch 2.8 or older wrote: each kind is a file of torch.save, a zip
 * archive that lies uncompressed in the archive. Reads its pickle, never a weight.
 */
final class PickledWeights {
  private final FileChannel file;
  private final Map<String, Region> members;

  private PickledWeights(FileChannel file) throws IOException {
    this.file = file;
    this.members = ZipRegion.members(file, new Region(0, file.size()));
  }

  /**
   * By dotted name. Those in members that somebody compressed are left out: then nothing tells
   * where their bytes lie.
   */
  static Map<String, Payload> read(Path path, List<String> members) throws IOException {
    try (FileChannel file = FileChannel.open(path)) {
      PickledWeights all = new PickledWeights(file);
      Map<String, Payload> weights = new HashMap<>();
      for (String member : members) all.read(member, weights);
      return weights;
    }
  }

  private void read(String member, Map<String, Payload> weights) throws IOException {
    Region archive = members.get(member);
    if (archive == null || archive.size() == 0) return;
    Map<String, Region> records = ZipRegion.members(file, archive);
    String pickle =
        records.keySet().stream().filter(n -> n.endsWith("/data.pkl")).findFirst().orElse(null);
    if (pickle == null)
      throw new GraphException("its " + member + " has no data.pkl; copy or export it again");
    String root = pickle.substring(0, pickle.length() - "data.pkl".length());
    if (!(Pickle.read(ZipRegion.bytes(file, records.get(pickle))) instanceof Map<?, ?> dict))
      return;
    dict.forEach(
        (name, value) -> {
          if (!(value instanceof PickledTensor tensor) || !(name instanceof String)) return;
          Region region = records.get(root + "data/" + tensor.key());
          if (region == null)
            throw new GraphException("it has no bytes of its weight " + name + "; copy it again");
          String path = member + "/" + tensor.key();
          weights.put(
              (String) name, new Payload(path, tensor.parameter(), tensor.meta(), false, region));
        });
  }
}
