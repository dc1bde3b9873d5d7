package dev.weblocks.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.weblocks.embed.CallerDrivenInstallation;
import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.EvaluationOptions;
import dev.weblocks.embed.HttpOptions;
import dev.weblocks.embed.Installation;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.LockClientOptions;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.WaitForGraph;
import dev.weblocks.model.Limits;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls each public method and constructor of the API with null for each of its parameters. */
class NullArgumentsTest {

  private final DeterministicDriver driver = Driver.deterministic(1);
  private final Context context = Context.newBuilder("js").build();
  private final UserAgent userAgent = UserAgent.newBuilder().driver(driver).build();
  private final Environment environment = Environment.newBuilder().warmUp(false).build();
  private final Map<Class<?>, Object> instances = new HashMap<>();

  {
    Installation.Builder builder = userAgent.installInto(context);
    CallerDrivenInstallation installation = builder.install();
    for (Object each :
        List.of(
            driver,
            DeterministicDriver.newBuilder(),
            userAgent,
            UserAgent.newBuilder(),
            userAgent.open("about:blank"),
            userAgent.openLockClient("https://one.test"),
            builder,
            installation,
            environment,
            Environment.newBuilder(),
            Limits.newBuilder(),
            Limits.DEFAULT,
            LockClientOptions.newBuilder("https://one.test"),
            LockClientOptions.newBuilder("https://one.test").build(),
            HttpOptions.newBuilder(),
            HttpOptions.newBuilder().build(),
            EvaluationOptions.newBuilder(),
            EvaluationOptions.newBuilder().build(),
            ResourceLoader.inMemory(),
            WaitForGraph.of(List.of()))) {
      instances.put(each.getClass(), each);
    }
    instances.put(Driver.class, driver);
    instances.put(Installation.class, installation);
    instances.put(Context.class, context);
    instances.put(Value.class, context.asValue(1));
    instances.put(String.class, "setTimeout");
    instances.put(Long.class, 1L);
    instances.put(Path.class, Path.of("."));
    instances.put(Duration.class, Duration.ofSeconds(1));
    instances.put(Instant.class, Instant.EPOCH);
    instances.put(List.class, List.of());
    instances.put(Set.class, Set.of());
    instances.put(Object.class, "value");
  }

  @AfterEach
  void close() {
    ((LockClient) value(LockClient.class)).close();
    userAgent.close();
    environment.close();
    driver.close();
    context.close();
  }

  @Test
  void public_methods_refuse_null_with_the_name_of_the_parameter() throws Exception {
    List<String> wrong = new ArrayList<>();
    int calls = 0;
    for (JavaClass each : ArchitectureTest.LIBRARY) {
      if (!Set.of("dev.weblocks.embed", "dev.weblocks.model").contains(each.getPackageName())) {
        continue;
      }
      Class<?> type = Class.forName(each.getName());
      if (!ArchitectureTest.isApi(type)) {
        continue;
      }
      for (Constructor<?> constructor : type.getConstructors()) {
        calls += callWithNulls(constructor, wrong);
      }
      for (Method method : type.getDeclaredMethods()) {
        boolean callable = !type.isInterface() || Modifier.isStatic(method.getModifiers());
        if (Modifier.isPublic(method.getModifiers())
            && callable // other methods of interfaces are implemented by embedders
            && !method.isSynthetic()
            && !method.getName().equals("equals")
            && !(type.isEnum() && method.getName().equals("valueOf"))) {
          calls += callWithNulls(method, wrong);
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(calls > 150, "only " + calls + " calls");
  }

  private int callWithNulls(Executable executable, List<String> wrong)
      throws ReflectiveOperationException {
    int calls = 0;
    Parameter[] parameters = executable.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].getType().isPrimitive()
          || parameters[i].getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        continue;
      }
      @Nullable Object[] arguments = new Object[parameters.length];
      for (int k = 0; k < parameters.length; k++) {
        arguments[k] = k == i ? null : value(parameters[k].getType());
      }
      calls++;
      String what = executable + " with null for " + parameters[i].getName();
      try {
        Object unused =
            executable instanceof Constructor<?> constructor
                ? constructor.newInstance(arguments)
                : ((Method) executable).invoke(receiver((Method) executable), arguments);
        wrong.add(what + " throws nothing");
      } catch (InvocationTargetException thrown) {
        Throwable cause = thrown.getCause();
        if (!(cause instanceof NullPointerException)
            || !parameters[i].getName().equals(cause.getMessage())) {
          wrong.add(what + " throws " + cause);
        }
      }
    }
    return calls;
  }

  private @Nullable Object receiver(Method method) throws ReflectiveOperationException {
    return Modifier.isStatic(method.getModifiers()) ? null : value(method.getDeclaringClass());
  }

  /** Returns any valid value of a type. */
  private Object value(Class<?> type) {
    Object known = instances.get(type);
    if (known != null) {
      return known;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type == int.class || type == long.class) {
      return 1;
    }
    if (type.isArray()) {
      return java.lang.reflect.Array.newInstance(type.getComponentType(), 0);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isInterface()) {
      return Proxy.newProxyInstance(
          NullArgumentsTest.class.getClassLoader(),
          new Class<?>[] {type},
          (proxy, method, arguments) -> null);
    }
    if (type.isRecord()) {
      return record(type);
    }
    if (type == java.io.OutputStream.class) {
      return java.io.OutputStream.nullOutputStream();
    }
    throw new AssertionError("no value of " + type + "; add one to the instances");
  }

  private Object record(Class<?> type) {
    Constructor<?> constructor = type.getConstructors()[0];
    List<Object> arguments = new ArrayList<>();
    for (Class<?> each : constructor.getParameterTypes()) {
      arguments.add(value(each));
    }
    try {
      return constructor.newInstance(arguments.toArray());
    } catch (ReflectiveOperationException failed) {
      throw new AssertionError(failed);
    }
  }
}
