package org.rpx.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which room may know which: dependencies point one way. */
@AnalyzeClasses(packages = "org.rpx.agent", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "org.rpx.agent";

  /** No class in {@code room} depends on our own code outside {@code allowed} (and the room). */
  private static ArchRule knowsOnly(String room, String... allowed) {
    String[] inside = new String[allowed.length + 1];
    inside[0] = ROOT + "." + room;
    for (int i = 0; i < allowed.length; i++) inside[i + 1] = ROOT + "." + allowed[i];
    return noClasses()
        .that()
        .resideInAPackage(ROOT + "." + room)
        .should()
        .dependOnClassesThat(
            com.tngtech.archunit.base.DescribedPredicate.describe(
                "are ours, outside " + String.join(", ", inside),
                c ->
                    c.getPackageName().startsWith(ROOT)
                        && !java.util.List.of(inside).contains(c.getPackageName())));
  }

  private static ArchRule onlyIn(String room, String... libraries) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + "." + room)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(libraries);
  }

  @ArchTest static final ArchRule trace = knowsOnly("trace");
  @ArchTest static final ArchRule measure = knowsOnly("measure");
  @ArchTest static final ArchRule gate = knowsOnly("gate");
  @ArchTest static final ArchRule host = knowsOnly("host");
  @ArchTest static final ArchRule monitor = knowsOnly("monitor");

  @ArchTest
  static final ArchRule monitorNeedsNoLibrary =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".monitor")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              ROOT + ".monitor", "java..", "javax.management..", "com.sun..", "jdk.jfr..");

  @ArchTest static final ArchRule hlog = knowsOnly("hlog", "monitor");
  @ArchTest static final ArchRule prometheus = knowsOnly("prometheus", "monitor");
  @ArchTest static final ArchRule hdrHistogram = onlyIn("hlog", "org.HdrHistogram..");
  @ArchTest static final ArchRule prometheusClient = onlyIn("prometheus", "io.prometheus..");
  @ArchTest static final ArchRule tier1 = knowsOnly("tier1", "trace");
  @ArchTest static final ArchRule tier2 = knowsOnly("tier2", "tier1");
  @ArchTest static final ArchRule exported = knowsOnly("exported", "trace", "elf");
  @ArchTest static final ArchRule elf = knowsOnly("elf");
  @ArchTest static final ArchRule arrays = knowsOnly("arrays", "exported", "trace");
  @ArchTest static final ArchRule engine = knowsOnly("engine", "trace", "measure", "elf");

  @ArchTest
  static final ArchRule report =
      knowsOnly("report", "tier1", "tier2", "measure", "host", "gate", "trace");

  @ArchTest
  static final ArchRule nobodyKnowsTheCommand =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".cli")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + ".cli");

  @ArchTest static final ArchRule bytedeco = onlyIn("engine", "org.bytedeco..");
  @ArchTest static final ArchRule oshi = onlyIn("host", "oshi..");
  @ArchTest static final ArchRule picocli = onlyIn("cli", "picocli..");

  @ArchTest
  static final ArchRule jackson =
      noClasses()
          .that()
          // Where JSON is written or read: reports, graphs, and files of inputs.
          .resideOutsideOfPackages(ROOT + ".report", ROOT + ".exported", ROOT + ".arrays")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule onlyTheCommandPrints =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".cli")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(System.class, "exit", int.class);
}
