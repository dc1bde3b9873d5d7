package dev.weblocks.lockmanager;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The steps of the Working Draft or of the early draft that comments in methods name.
 *
 * <p>A method counts if the comment right above it has the link of an algorithm or, for the early
 * draft, its heading as in {@code // Early draft, "Lock"}. In such a method each line comment that
 * begins with a number is a list of steps: {@code 3.}, {@code 2 to 5}, {@code 2.3 to 2.7, 2.12},
 * {@code 2.14.2. and 2.14.3.}. The rest of the comment is ignored, except {@code ; 1 is asserted by
 * …}, which is a home of that step, too. Comments about variants therefore have no such numbers.
 */
final class StepComments {

  /**
   * A step that a method implements.
   *
   * @param anchor of the algorithm
   * @param step its path; {@link WorkingDraftSteps#WHOLE} for the comment above the method
   * @param method the package, the class and the name
   * @param file from the root of the repository
   * @param asserted the code that asserts the step instead; empty if the method implements it
   * @param place file and line, for messages
   */
  record Home(
      String anchor, String step, String method, String file, String asserted, String place) {}

  private static final String NUMBER = "\\d+(?:\\.\\d+)*\\.?";
  private static final String ITEM = NUMBER + "(?: to " + NUMBER + ")?";
  private static final String LIST = ITEM + "(?:(?:,| and) " + ITEM + ")*";
  private static final Pattern STEPS = Pattern.compile("(" + LIST + ")(?![\\w])(.*)");
  private static final Pattern ASSERTED =
      Pattern.compile("(" + LIST + ") (?:is|are) asserted by ([^;]+)");

  /**
   * A draft, and how comments refer to it.
   *
   * @param mark a text in every file that refers to the draft
   * @param algorithm the pattern above a method; its group is the name of the algorithm
   * @param anchor returns the anchor of an algorithm's name
   */
  record Text(String mark, Pattern algorithm, UnaryOperator<String> anchor) {}

  static final Text WORKING_DRAFT =
      new Text(
          WorkingDraftSteps.DRAFT,
          Pattern.compile(Pattern.quote(WorkingDraftSteps.DRAFT) + "#([\\w-]+)"),
          UnaryOperator.identity());

  static final Text EARLY_DRAFT =
      new Text(
          "// Early draft, \"",
          Pattern.compile("// Early draft, \"([^\"]+)\""),
          EarlyDraftSteps::anchorOf);

  /** A line comment. */
  private record Comment(int position, String text) {}

  private StepComments() {}

  /** Returns all homes in the sources below a folder, in the order of files and lines. */
  static List<Home> homes(Path folder, Text draft, Set<String> anchors) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    List<Path> linking = new ArrayList<>();
    for (Path file : files) {
      if (Files.readString(file).contains(draft.mark())) {
        linking.add(file);
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Home> homes = new ArrayList<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(linking));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        Path file = Path.of(unit.getSourceFile().toUri());
        String text = Files.readString(file);
        String shown = Path.of("").toAbsolutePath().relativize(file.toAbsolutePath()).toString();
        new Methods(positions, text, shown.replace('\\', '/'), draft, anchors, homes)
            .scan(unit, null);
      }
    }
    return homes;
  }

  /** A scanner for methods that name algorithms, which reads their comments. */
  private static final class Methods extends TreePathScanner<Void, Void> {
    private final SourcePositions positions;
    private final String text;
    private final String file;
    private final Text draft;
    private final Set<String> anchors;
    private final List<Home> homes;
    private final List<Comment> comments;

    Methods(
        SourcePositions positions,
        String text,
        String file,
        Text draft,
        Set<String> anchors,
        List<Home> homes) {
      this.positions = positions;
      this.text = text;
      this.file = file;
      this.draft = draft;
      this.anchors = anchors;
      this.homes = homes;
      this.comments = lineComments(text);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
      int begin = (int) positions.getStartPosition(unit, method);
      int end = (int) positions.getEndPosition(unit, method);
      Set<String> linked = new LinkedHashSet<>();
      Matcher named = draft.algorithm().matcher(above(begin));
      while (named.find()) {
        String anchor = draft.anchor().apply(named.group(1));
        if (anchors.contains(anchor)) {
          linked.add(anchor);
        }
      }
      String name = nameOf(method);
      for (String anchor : linked) {
        homes.add(new Home(anchor, WorkingDraftSteps.WHOLE, name, file, "", place(begin)));
      }
      if (!linked.isEmpty()) {
        for (Comment comment : comments) {
          if (comment.position() > begin && comment.position() < end) {
            read(comment, linked.iterator().next(), name);
          }
        }
      }
      return super.visitMethod(method, unused);
    }

    private String nameOf(MethodTree method) {
      List<String> names = new ArrayList<>();
      names.add(method.getName().toString());
      for (var path = getCurrentPath().getParentPath(); path != null; path = path.getParentPath()) {
        if (path.getLeaf() instanceof ClassTree type && !type.getSimpleName().isEmpty()) {
          names.addFirst(type.getSimpleName().toString());
        }
      }
      var inPackage = getCurrentPath().getCompilationUnit().getPackageName();
      if (inPackage != null) {
        names.addFirst(inPackage.toString().replaceFirst("^dev[.]weblocks[.]", ""));
      }
      return String.join(".", names);
    }

    /** Returns the comments right above a position, verbatim. */
    private String above(int begin) {
      String before = text.substring(0, begin).stripTrailing();
      StringBuilder comment = new StringBuilder();
      List<String> lines = before.lines().toList();
      boolean inBlock = false;
      for (int i = lines.size() - 1; i >= 0; i--) {
        String line = lines.get(i).strip();
        if (!inBlock && line.endsWith("*/")) {
          inBlock = true;
        }
        if (!inBlock && !line.startsWith("//")) {
          break;
        }
        comment.append(line).append('\n');
        if (line.startsWith("/*")) {
          inBlock = false;
        }
      }
      return comment.toString();
    }

    private String place(int position) {
      long line = 1 + text.substring(0, position).chars().filter(c -> c == '\n').count();
      return file + ":" + line;
    }

    private void read(Comment comment, String anchor, String method) {
      Matcher steps = STEPS.matcher(comment.text());
      if (!steps.matches()) {
        return;
      }
      String place = place(comment.position());
      for (String step : expanded(steps.group(1))) {
        homes.add(new Home(anchor, step, method, file, "", place));
      }
      Matcher asserted = ASSERTED.matcher(steps.group(2));
      while (asserted.find()) {
        for (String step : expanded(asserted.group(1))) {
          homes.add(new Home(anchor, step, method, file, asserted.group(2), place));
        }
      }
    }
  }

  /** Expands a list such as {@code 2.3 to 2.5, 2.12} to its steps, here four. */
  static List<String> expanded(String list) {
    List<String> steps = new ArrayList<>();
    for (String item : list.split(",? and |, ", -1)) {
      String[] ends = item.split(" to ", -1);
      String first = plain(ends[0]);
      String last = plain(ends[ends.length - 1]);
      int point = first.lastIndexOf('.') + 1;
      if (!last.startsWith(first.substring(0, point)) || last.indexOf('.', point) >= 0) {
        throw new IllegalStateException("from " + first + " no way leads to " + last);
      }
      int till = Integer.parseInt(last.substring(point));
      for (int i = Integer.parseInt(first.substring(point)); i <= till; i++) {
        steps.add(String.format(Locale.ROOT, "%s%d", first.substring(0, point), i));
      }
    }
    return steps;
  }

  private static String plain(String number) {
    return number.endsWith(".") ? number.substring(0, number.length() - 1) : number;
  }

  /** Returns the line comments that are not part of a string or of another comment. */
  private static List<Comment> lineComments(String text) {
    List<Comment> comments = new ArrayList<>();
    int i = 0;
    while (i < text.length()) {
      if (text.startsWith("//", i)) {
        int end = text.indexOf('\n', i);
        end = end < 0 ? text.length() : end;
        comments.add(new Comment(i, text.substring(i + 2, end).strip()));
        i = end;
      } else if (text.startsWith("/*", i)) {
        i = after(text, "*/", i + 2);
      } else if (text.startsWith("\"\"\"", i)) {
        i = after(text, "\"\"\"", i + 3);
      } else if (text.charAt(i) == '"' || text.charAt(i) == '\'') {
        i = afterQuoted(text, i);
      } else {
        i++;
      }
    }
    return comments;
  }

  private static int after(String text, String end, int from) {
    int found = text.indexOf(end, from);
    return found < 0 ? text.length() : found + end.length();
  }

  private static int afterQuoted(String text, int begin) {
    char quote = text.charAt(begin);
    int i = begin + 1;
    while (i < text.length() && text.charAt(i) != quote) {
      i += text.charAt(i) == '\\' ? 2 : 1;
    }
    return i + 1;
  }
}
