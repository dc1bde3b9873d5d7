package dev.weblocks.explore;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The layers of the exploration module. */
class ExploreArchitectureTest {

  private static final JavaClasses OWN =
      new ClassFileImporter().importPath(Path.of("src/explore/target/classes"));

  @Test
  void only_the_public_api_of_the_library_is_used() {
    assertTrue(OWN.size() > 50, "too few classes were found: " + OWN.size());
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.<JavaClass>describe(
                "internal to the library",
                each ->
                    each.getPackageName().startsWith("dev.weblocks.")
                        && !each.getPackageName().startsWith("dev.weblocks.explore")
                        && !Set.of("dev.weblocks.embed", "dev.weblocks.model")
                            .contains(each.getPackageName())))
        .check(OWN);
  }

  @Test
  void schedules_and_traces_do_not_depend_on_each_other_or_on_scenes() {
    noClasses()
        .that()
        .resideInAPackage("dev.weblocks.explore.schedule")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weblocks.explore", "dev.weblocks.explore.trace")
        .check(OWN);
    noClasses()
        .that()
        .resideInAPackage("dev.weblocks.explore.trace")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weblocks.explore", "dev.weblocks.explore.schedule")
        .check(OWN);
  }

  @Test
  void only_the_extension_uses_junit_and_only_traces_use_json() {
    noClasses()
        .that()
        .haveNameNotMatching("dev\\.weblocks\\.explore\\.Explore(Extension.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.junit..")
        .check(OWN);
    noClasses()
        .that(resideOutsideOfPackage("dev.weblocks.explore.trace"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.fasterxml..")
        .check(OWN);
  }
}
