package dev.weblocks.explore;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.MediaType;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/** The JUnit extension of {@link Explore}: one test for each seed. */
final class ExploreExtension implements TestTemplateInvocationContextProvider {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ExploreExtension.class);

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return context
        .getTestMethod()
        .map(method -> AnnotationSupport.isAnnotated(method, Explore.class))
        .orElse(false);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Method method = context.getRequiredTestMethod();
    if (!List.of(method.getParameterTypes()).contains(Scene.class)) {
      throw new IllegalArgumentException(
          "@Explore method "
              + method.getName()
              + " has no parameter of type Scene, which it is to set up");
    }
    Explore explore = AnnotationSupport.findAnnotation(method, Explore.class).orElseThrow();
    String replay =
        context.getConfigurationParameter(Explore.REPLAY).orElseGet(() -> explore.replay());
    boolean once = !replay.isEmpty() || explore.value() == Orders.ALL;
    if (explore.seeds().length == 0) {
      throw new IllegalArgumentException("@Explore has no seeds; name one at least");
    }
    return LongStream.of(explore.seeds())
        .limit(once ? 1 : Long.MAX_VALUE)
        .mapToObj(seed -> {
          Exploration unused = exploration(explore, seed, replay, scene -> {});
          return new OfSeed(explore, seed, replay, context.getDisplayName());
        });
  }

  /** Returns an exploration; an attribute out of range is an {@link IllegalArgumentException}. */
  private static Exploration exploration(
      Explore explore, long seed, String replay, Exploration.SetUp setUp) {
    Exploration exploration =
        Exploration.of(setUp)
            .schedules(explore.schedules())
            .maxSteps(explore.maxSteps())
            .earlyTimers(explore.earlyTimers())
            .stepLimit(Duration.ofSeconds(explore.stepSeconds()));
    exploration =
        switch (explore.value()) {
          case RANDOM -> exploration.random(seed);
          case PRIORITIES -> exploration.priorities(seed, explore.depth());
          case ALL -> exploration.all(explore.preemptions());
        };
    return replay.isEmpty() ? exploration : exploration.replay(replay);
  }

  private record OfSeed(Explore explore, long seed, String replay, String method)
      implements TestTemplateInvocationContext {

    @Override
    public String getDisplayName(int invocation) {
      return explore
          .name()
          .replace("{displayName}", method)
          .replace("{order}", exploration(explore, seed, replay, scene -> {}).described());
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(new SceneParameter(), new Test(this));
    }
  }

  /**
   * Resolves the parameter of the test method; each run replaces the value by its own scene. Other
   * methods would set up a scene that is never run.
   */
  private static final class SceneParameter implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Scene.class
          && AnnotationSupport.isAnnotated(parameter.getDeclaringExecutable(), Explore.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new Scene();
    }
  }

  private record Test(OfSeed of) implements InvocationInterceptor {

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> called,
        ExtensionContext context)
        throws Throwable {
      invocation.skip(); // the exploration calls the method, any number of times
      Object[] arguments = called.getArguments().toArray();
      Exploration exploration =
          exploration(
              of.explore,
              of.seed,
              of.replay,
              scene -> {
                Object[] own =
                    Arrays.stream(arguments)
                        .map(argument -> argument instanceof Scene ? scene : argument)
                        .toArray();
                Object unused =
                    ReflectionSupport.invokeMethod(
                        called.getExecutable(), called.getTarget().orElse(null), own);
              });
      ExplorationReport report = exploration.run(engine(context));
      context.publishReportEntry("explored", report.toString());
      ExplorationReport.Problem problem = report.problem();
      exploration.check(
          report,
          problem == null
              ? ""
              : ", with @Explore(replay = …), or for this test alone with -D"
                  + Explore.REPLAY
                  + "=…"
                  + published(problem.timeline(), context));
    }

    private static SharedEngine engine(ExtensionContext context) {
      // JUnit closes it at the end of all tests
      return context
          .getRoot()
          .getStore(NAMESPACE)
          .getOrComputeIfAbsent(
              SharedEngine.class, key -> SharedEngine.create(), SharedEngine.class);
    }

    /** Publishes the page; returns a line with its path, or with the reason why there is none. */
    private static String published(String timeline, ExtensionContext context) {
      Path[] published = new Path[1];
      try {
        context.publishFile(
            "timeline.html",
            MediaType.create("text", "html", StandardCharsets.UTF_8),
            file -> {
              Files.writeString(file, timeline);
              published[0] = file;
            });
        return "\ntimeline: " + published[0];
      } catch (RuntimeException failure) { // must not hide the finding
        return "\nthe timeline cannot be written: " + failure.getMessage();
      }
    }
  }
}
