package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is public is the API, and that is what docs/embedding.md lists. */
class PublicSurfaceTest {
  private static final String ROOT = "org.rpx.agent";
  private static final Pattern ROW =
      Pattern.compile("^\\| `(org\\.rpx[\\w.]*)` \\|(.*)\\|", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)`");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  /** The names in the table of docs/embedding.md. */
  private static Set<String> listed() throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("docs/embedding.md")));
    while (row.find()) {
      Matcher name = NAME.matcher(row.group(2));
      while (name.find()) names.add(row.group(1) + "." + name.group(1));
    }
    return names;
  }

  private static boolean isPublic(JavaClass c) {
    return c.getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static boolean isOurs(JavaClass c) {
    return c.getPackageName().startsWith(ROOT);
  }

  private static JavaClass outermost(JavaClass c) {
    return c.getEnclosingClass().map(PublicSurfaceTest::outermost).orElse(c);
  }

  private static Stream<JavaClass> publicOnes() {
    return CLASSES.stream().filter(c -> isPublic(c) && c.isTopLevelClass());
  }

  /** Types that the members take and give which a caller sees of a class. */
  private static Stream<JavaClass> inSignatures(JavaClass c) {
    Stream<JavaMember> members =
        c.getMembers().stream()
            .filter(
                m ->
                    m.getModifiers().contains(JavaModifier.PUBLIC)
                        || m.getModifiers().contains(JavaModifier.PROTECTED));
    return members
        .flatMap(
            m ->
                m instanceof JavaField f
                    ? f.getAllInvolvedRawTypes().stream()
                    : ((JavaCodeUnit) m).getAllInvolvedRawTypes().stream())
        .map(JavaClass::getBaseComponentType);
  }

  /** Types in what a caller sees of a class: its kin, its members and what they take and give. */
  private static Stream<JavaClass> shown(JavaClass c) {
    Stream<JavaClass> inner =
        CLASSES.stream().filter(i -> i.getEnclosingClass().filter(c::equals).isPresent());
    Stream<JavaClass> above =
        Stream.concat(c.getRawSuperclass().stream(), c.getAllRawInterfaces().stream());
    return Stream.of(inSignatures(c), inner, above)
        .flatMap(s -> s)
        .map(JavaClass::getBaseComponentType)
        .filter(t -> isOurs(t) && isPublic(t));
  }

  private static Set<JavaClass> reachable(Set<String> from) {
    Set<JavaClass> seen = new HashSet<>();
    Deque<JavaClass> todo = new ArrayDeque<>();
    from.stream().map(CLASSES::get).forEach(todo::add);
    while (!todo.isEmpty()) {
      JavaClass next = todo.pop();
      if (seen.add(next)) shown(next).forEach(todo::push);
    }
    return seen;
  }

  @Test
  void theListHoldsTheTypesThatItsSignaturesShow() throws IOException {
    Set<String> listed = listed();
    assertThat(listed).contains(ROOT + ".Rpx", ROOT + ".monitor.LatencyMonitor");
    assertThat(publicOnes().map(JavaClass::getName).toList()).containsAll(listed);
    Set<String> shown = new TreeSet<>();
    for (JavaClass c : reachable(listed)) shown.add(outermost(c).getName());
    assertThat(shown).isEqualTo(listed);
  }

  /** And no package else can be imported from another module. */
  @Test
  void theModuleExportsTheListedPackages() throws IOException {
    Set<String> packages = new TreeSet<>();
    for (String name : listed()) packages.add(name.substring(0, name.lastIndexOf('.')));
    Set<String> exported = new TreeSet<>();
    ModuleReference module = ModuleFinder.of(Path.of("target/classes")).find(ROOT).orElseThrow();
    for (Exports each : module.descriptor().exports()) {
      assertThat(each.isQualified()).as(each.source()).isFalse();
      exported.add(each.source());
    }
    assertThat(exported).isEqualTo(packages);
  }

  @Test
  void whatIsPublicIsListed() throws IOException {
    Set<String> open = new TreeSet<>(publicOnes().map(JavaClass::getName).toList());
    open.removeAll(listed());
    assertThat(open).as("make it package-private, or list it in docs/embedding.md").isEmpty();
  }

  /** Whoever is given something can say what it is. */
  @Test
  void theListShowsNothingThatIsHidden() throws IOException {
    Set<String> hidden = new TreeSet<>();
    for (JavaClass c : reachable(listed()))
      inSignatures(c)
          .filter(t -> isOurs(t) && !isPublic(t))
          .forEach(t -> hidden.add(t.getName() + " in " + c.getName()));
    assertThat(hidden).isEmpty();
  }
}
