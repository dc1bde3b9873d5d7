package dev.weblocks.harness.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The layers of the harness, and the folders of the repository. */
class HarnessArchitectureTest {

  private static final String HARNESS = "dev.weblocks.harness.";

  /** The classes of the harness and of the library that it uses. */
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("dev/weblocks/testing/"))
          .importPackages("dev.weblocks");

  /** Describes the classes of the library that embedders do not see. */
  private static DescribedPredicate<JavaClass> internalToTheLibrary() {
    return DescribedPredicate.describe(
        "internal to the library",
        each ->
            each.getPackageName().startsWith("dev.weblocks.")
                && !each.getPackageName().startsWith(HARNESS)
                && !Set.of("dev.weblocks.embed", "dev.weblocks.model")
                    .contains(each.getPackageName()));
  }

  private static String[] packages(String... names) {
    String[] full = new String[names.length];
    for (int i = 0; i < names.length; i++) {
      full[i] = HARNESS + names[i];
    }
    return full;
  }

  @Test
  void library_does_not_depend_on_the_harness() {
    assertTrue(ALL.size() > 1_000, "too few classes were found: " + ALL.size());
    noClasses()
        .that()
        .resideOutsideOfPackage(HARNESS + ".")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(HARNESS + ".")
        .check(ALL);
  }

  @Test
  void test_runner_does_not_depend_on_expectations_reports_or_the_command_line() {
    noClasses()
        .that()
        .resideInAnyPackage(packages("wpt", "wpt.handlers"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages("wpt.expect", "wpt.report", "cli"))
        .check(ALL);
    noClasses()
        .that()
        .resideInAnyPackage(packages("wpt.expect"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages("wpt.report", "cli"))
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("dev.weblocks.embed")
        .check(ALL);
    noClasses()
        .that()
        .resideInAnyPackage(packages("wpt.report"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages("wpt.expect", "cli"))
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("dev.weblocks.embed")
        .check(ALL);
  }

  /**
   * Text from files, scripts and tests is escaped where lines are printed. The others talk to
   * programs, not to terminals.
   */
  @Test
  void only_the_environment_of_commands_prints() {
    List<String> printing =
        List.of(
            "cli.CliEnvironment",
            "cli.StandardOutput",
            "cluster.ClusterAgent",
            "compare.JavaUse",
            "compare.OwnServer",
            "compare.PageHost",
            "wpt.WptHashes");
    noClasses()
        .that()
        .resideInAPackage(HARNESS + ".")
        .and(
            DescribedPredicate.describe(
                "print for people",
                each ->
                    printing.stream().noneMatch(name -> each.getName().startsWith(HARNESS + name))))
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "print, or a reference to a method that prints",
                access ->
                    access.getTargetOwner().isAssignableTo(PrintStream.class)
                        && access.getName().matches("print|println|printf|format|append|write")))
        .check(ALL);
  }

  /** It syncs a file before the rename, and the next writer removes what a killed one has left. */
  @Test
  void only_whole_file_replaces_files() {
    noClasses()
        .that()
        .resideInAPackage(HARNESS + ".")
        .and()
        .doNotHaveSimpleName("WholeFile")
        .and()
        .doNotHaveSimpleName("Part")
        .should()
        .callMethod(Files.class, "move", Path.class, Path.class, CopyOption[].class)
        .check(ALL);
  }

  @Test
  void explore_package_depends_on_the_public_api_not_the_command_line() {
    noClasses()
        .that()
        .resideInAnyPackage(packages("explore"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages("cli", "wpt.expect", "wpt.report"))
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.weblocks.agent",
            "dev.weblocks.lockmanager..",
            "dev.weblocks.locks..",
            "dev.weblocks.binding")
        .check(ALL);
  }

  @Test
  void model_of_the_draft_shares_no_code_with_the_library() {
    noClasses()
        .that()
        .resideInAnyPackage(packages("differ.model"))
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "outside the model",
                each ->
                    each.getPackageName().startsWith("dev.weblocks.")
                        && !each.getPackageName().equals(HARNESS + "differ.model")))
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("org.graalvm..")
        .check(ALL);
    noClasses()
        .that()
        .resideInAnyPackage(packages("differ"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages("cli"))
        .orShould()
        .dependOnClassesThat(internalToTheLibrary())
        .check(ALL);
  }

  @Test
  void all_classes_of_the_harness_are_below_one_package() throws IOException {
    JavaClasses own = new ClassFileImporter().importPath(Path.of("wpt-harness/target/classes"));
    assertTrue(own.size() > 200, "too few classes were found: " + own.size());
    classes().should().resideInAPackage(HARNESS + ".").check(own);
  }

  @Test
  void root_directory_has_only_the_listed_entries() throws IOException, InterruptedException {
    assumeTrue(Files.exists(Path.of(".git")), "no git repository");
    Process git = new ProcessBuilder("git", "ls-files").start();
    Set<String> entries = new TreeSet<>();
    new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.replaceFirst("/.*", ""))
        .filter(name -> !name.startsWith("."))
        .forEach(entries::add);
    assertEquals(0, git.waitFor());
    assertEquals(
        new TreeSet<>(
            Set.of(
                "README.md",
                "SECURITY.md",
                "docs",
                "findings",
                "pom.xml",
                "scripts",
                "src",
                "wpt-harness",
                "wpt-subset")),
        entries);
  }
}
