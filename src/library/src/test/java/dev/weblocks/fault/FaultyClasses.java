package dev.weblocks.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Loads the classes of the library again, with a call of {@link FaultPoints#allocation} before each
 * allocation. Allocations are those of our own code, and calls of methods of the JDK that may
 * allocate, such as {@code add()}. Static initializers are excluded: a class whose initializer
 * fails is broken for the whole JVM.
 */
final class FaultyClasses extends ClassLoader {

  private static final String POINTS = Type.getInternalName(FaultPoints.class);

  /** The packages with the protocols of locks, agents, messages, storage and timers. */
  private static final Set<String> PACKAGES =
      Set.of(
          "agent",
          "embed",
          "global",
          "lockmanager",
          "lockmanager.message",
          "locks",
          "messaging",
          "observe",
          "storage",
          "workers");

  /** Methods of {@code java.util} that may allocate, by name. */
  private static final Set<String> ALLOCATING =
      Set.of(
          "add",
          "addFirst",
          "addLast",
          "addAll",
          "allOf",
          "anyOf",
          "computeIfAbsent",
          "copy",
          "copyOf",
          "delayedExecutor",
          "entrySet",
          "execute",
          "iterator",
          "keySet",
          "merge",
          "minimalCompletionStage",
          "of",
          "offer",
          "orTimeout",
          "completeOnTimeout",
          "push",
          "put",
          "putIfAbsent",
          "schedule",
          "stream",
          "thenAccept",
          "thenApply",
          "thenCompose",
          "thenRun",
          "toArray",
          "valueOf",
          "values",
          "whenComplete");

  /** Types whose hash tables grow after they have added an entry, and the methods that add. */
  private static final Set<String> HASHED = Set.of("java/util/Map", "java/util/Set");

  private static final Set<String> GROWING = Set.of("add", "computeIfAbsent", "put");

  FaultyClasses(ClassLoader parent) {
    super(parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("dev.weblocks.") || name.startsWith(FaultPoints.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes;
    try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      bytes = file.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    int end = name.lastIndexOf('.');
    String inside =
        name.substring("dev.weblocks.".length(), Math.max("dev.weblocks.".length(), end));
    byte[] code = PACKAGES.contains(inside) ? instrumented(bytes) : bytes;
    return defineClass(name, code, 0, code.length);
  }

  private static byte[] instrumented(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    String name = reader.getClassName().replace('/', '.').substring("dev.weblocks.".length());
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String method,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor next =
                super.visitMethod(access, method, descriptor, signature, exceptions);
            return method.equals("<clinit>") ? next : new Counting(next, name + "." + method);
          }
        },
        0);
    return writer.toByteArray();
  }

  /** Inserts the calls into one method. */
  private static final class Counting extends MethodVisitor {
    private final String method;
    private int line;

    Counting(MethodVisitor next, String method) {
      super(Opcodes.ASM9, next);
      this.method = method;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = number;
      super.visitLineNumber(number, start);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      switch (opcode) {
        case Opcodes.NEW -> {
          // the call follows: stack maps name the place of the instruction
          super.visitTypeInsn(opcode, type);
          count("new " + simple(type));
        }
        case Opcodes.ANEWARRAY -> {
          count("new array");
          super.visitTypeInsn(opcode, type);
        }
        default -> super.visitTypeInsn(opcode, type);
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) {
        count("new array");
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      boolean returnsObject = Type.getReturnType(descriptor).getSort() >= Type.ARRAY;
      if (returnsObject && Type.getArgumentCount(descriptor) > 0) {
        count("new " + name);
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if ((owner.startsWith("java/util/") || owner.equals("java/lang/Long"))
          && ALLOCATING.contains(name)) {
        count(simple(owner) + "." + name + "()");
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      if (HASHED.contains(owner) && GROWING.contains(name)) {
        count(simple(owner) + "." + name + "(), which grows after the change");
      }
    }

    private void count(String what) {
      super.visitLdcInsn(FaultPoints.register(method + ":" + line + " " + what));
      super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "allocation", "(I)V", false);
    }
  }

  private static String simple(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1);
  }
}
