package dev.weblocks.cluster;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The layers of the cluster module. */
class ClusterArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.weblocks.cluster");

  @Test
  void packages_depend_only_on_lower_ones() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("api")
        .definedBy("dev.weblocks.cluster")
        .layer("ratis")
        .definedBy("dev.weblocks.cluster.ratis")
        .layer("simulated")
        .definedBy("dev.weblocks.cluster.simulated")
        .layer("session")
        .definedBy("dev.weblocks.cluster.session")
        .layer("machine")
        .definedBy("dev.weblocks.cluster.machine")
        .layer("observe")
        .definedBy("dev.weblocks.cluster.observe")
        .whereLayer("api")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("ratis")
        .mayOnlyBeAccessedByLayers("api")
        .whereLayer("simulated")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("session")
        .mayOnlyBeAccessedByLayers("api", "ratis", "simulated")
        .whereLayer("observe")
        .mayOnlyBeAccessedByLayers("api", "ratis")
        .check(CLASSES);
  }

  @Test
  void only_one_package_knows_ratis() {
    noClasses()
        .that(resideOutsideOfPackage("dev.weblocks.cluster.ratis"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.ratis..")
        .check(CLASSES);
  }

  @Test
  void only_observe_uses_the_flight_recorder() {
    noClasses()
        .that(resideOutsideOfPackage("dev.weblocks.cluster.observe"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.jfr..")
        .check(CLASSES);
  }

  @Test
  void the_machine_and_the_sessions_read_no_clock() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.weblocks.cluster.machine",
            "dev.weblocks.cluster.session",
            "dev.weblocks.cluster.simulated")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(CLASSES);
  }
}
