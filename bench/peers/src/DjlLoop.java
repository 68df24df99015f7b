// SPDX-License-Identifier: Apache-2.0
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.repository.zoo.Criteria;
import ai.djl.repository.zoo.ZooModel;
import ai.djl.engine.Engine;
import ai.djl.translate.NoopTranslator;
import java.nio.file.Path;
import java.util.Arrays;

/** DjlLoop MODEL SHAPE THREADS WARM-UP RUNS: p50 of predict in ns, and the LibTorch, as DJL's own benchmark times it. */
final class DjlLoop {
  public static void main(String[] a) throws Exception {
    System.setProperty("ai.djl.pytorch.num_threads", a[2]);
    Path model = Path.of(a[0]).toAbsolutePath();
    Criteria<NDList, NDList> criteria =
        Criteria.builder()
            .setTypes(NDList.class, NDList.class)
            .optModelPath(model)
            .optEngine("PyTorch")
            .optTranslator(new NoopTranslator())
            .build();
    long[] sizes = Arrays.stream(a[1].split("x")).mapToLong(Long::parseLong).toArray();
    int warm = Integer.parseInt(a[3]);
    long[] ns = new long[Integer.parseInt(a[4])];
    try (ZooModel<NDList, NDList> loaded = criteria.loadModel();
        Predictor<NDList, NDList> predictor = loaded.newPredictor();
        NDManager manager = NDManager.newBaseManager()) {
      NDArray input = manager.randomUniform(0, 1, new Shape(sizes));
      for (int i = -warm; i < ns.length; i++) {
        long start = System.nanoTime();
        NDList out = predictor.predict(new NDList(input));
        long end = System.nanoTime();
        out.close();
        if (i >= 0) ns[i] = end - start;
      }
    }
    Arrays.sort(ns);
    System.out.println((ns[(ns.length - 1) / 2] + ns[ns.length / 2]) / 2 + " " + Engine.getInstance().getVersion());
  }
}
