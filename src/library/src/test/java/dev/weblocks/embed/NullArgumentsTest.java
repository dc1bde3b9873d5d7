package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Limits;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Null arguments of the public API, which are refused by the name of the parameter. */
class NullArgumentsTest {

  /** Overridable methods that a caller of the library implements, or that Java defines. */
  private static final Set<String> NOT_OURS = Set.of("equals", "valueOf", "compareTo");

  private final List<String> unnamed = new ArrayList<>();
  private int checked;

  @Test
  void each_null_argument_is_refused_by_name() throws Exception {
    try (DeterministicDriver driver = Driver.deterministic(1);
        CallerDrivenDriver turns = Driver.callerDriven(() -> {});
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .build();
        Context context =
            Context.newBuilder("js").option("js.unhandled-rejections", "handler").build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install();
        LockClient client = userAgent.openLockClient(Installation.DEFAULT_ORIGIN);
        Window window = userAgent.open("about:blank")) {
      Map<Class<?>, Object> samples =
          Map.of(
              Value.class,
              context.eval("js", "1"),
              Context.class,
              context,
              Driver.class,
              driver,
              Environment.class,
              SharedEnvironment.ENVIRONMENT,
              String.class,
              "a",
              Duration.class,
              Duration.ofSeconds(1),
              Path.class,
              Path.of("."),
              LockClientOptions.class,
              LockClientOptions.newBuilder("https://a.test").build(),
              EvaluationOptions.class,
              EvaluationOptions.newBuilder().build(),
              Limits.class,
              Limits.DEFAULT);
      for (Object target :
          List.of(
              driver,
              turns,
              userAgent,
              UserAgent.newBuilder(),
              installation,
              userAgent.installInto(context),
              client,
              LockClientOptions.newBuilder("https://a.test"),
              window,
              EvaluationOptions.newBuilder(),
              DeterministicDriver.newBuilder(),
              Environment.newBuilder(),
              SharedEnvironment.ENVIRONMENT,
              HttpOptions.newBuilder(),
              ResourceLoader.inMemory(),
              Limits.newBuilder())) {
        for (Method method : target.getClass().getMethods()) {
          if (!Modifier.isStatic(method.getModifiers())) {
            check(method, target, samples);
          }
        }
      }
      for (Class<?> type :
          List.of(
              Driver.class,
              Environment.class,
              ResourceLoader.class,
              ResourceResponse.class,
              LockClientOptions.class,
              DeadlockReport.class,
              WaitForGraph.class)) {
        for (Method method : type.getMethods()) {
          if (Modifier.isStatic(method.getModifiers())) {
            check(method, null, samples);
          }
        }
      }
    }
    assertEquals(Set.of(), new TreeSet<>(unnamed));
    assertTrue(checked > 80, () -> "checked: " + checked);
  }

  private void check(Method method, @Nullable Object target, Map<Class<?>, Object> samples)
      throws ReflectiveOperationException {
    if (NOT_OURS.contains(method.getName())
        || method.getDeclaringClass() == Object.class
        || method.isBridge()) {
      return;
    }
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].getType().isPrimitive() || isNullable(method, i)) {
        continue;
      }
      Object[] arguments =
          Stream.of(parameters).map(each -> sample(each.getType(), samples)).toArray();
      arguments[i] = null;
      checked++;
      try {
        method.invoke(target, arguments);
        unnamed.add(method + " accepts null as parameter " + i);
      } catch (InvocationTargetException thrown) {
        Throwable cause = thrown.getCause();
        if (!(cause instanceof NullPointerException)
            || !parameters[i].getName().equals(cause.getMessage())) {
          unnamed.add(method + ", parameter " + i + ": " + cause);
        }
      }
    }
  }

  private static boolean isNullable(Executable method, int index) {
    AnnotatedType type = method.getAnnotatedParameterTypes()[index];
    return type.isAnnotationPresent(Nullable.class);
  }

  private static Object sample(Class<?> type, Map<Class<?>, Object> samples) {
    Object known = samples.get(type);
    if (known != null) {
      return known;
    }
    if (type.isPrimitive()) {
      return type == boolean.class ? false : type == int.class ? (Object) 1 : (Object) 1L;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    }
    if (type == Set.class) {
      return Set.of();
    }
    if (type == List.class) {
      return List.of();
    }
    return type.isInterface()
        ? Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (proxy, called, values) -> null)
        : new Object();
  }
}
