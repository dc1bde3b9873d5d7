package dev.weblocks.harness.differ;

import dev.weblocks.harness.differ.model.Program;
import dev.weblocks.harness.differ.model.Statement;
import dev.weblocks.harness.differ.model.Statement.Callback;
import dev.weblocks.harness.differ.model.Statement.Member;
import dev.weblocks.harness.differ.model.Statement.Name;
import dev.weblocks.harness.differ.model.Statement.Options;
import dev.weblocks.harness.differ.model.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The search for a smaller program that still differs: one change at a time, while one works. */
public final class Shrinker {

  private final Predicate<Program> differs;
  private int runs;

  private Shrinker(Predicate<Program> differs, int runs) {
    this.differs = differs;
    this.runs = runs;
  }

  /**
   * Returns a program that differs and from which no further change can be taken.
   *
   * @param program differs
   * @param differs runs a program, and returns whether it differs
   * @param runs the maximum number of calls
   */
  public static Program shrink(Program program, Predicate<Program> differs, int runs) {
    return new Shrinker(differs, runs).shrink(program);
  }

  private Program shrink(Program program) {
    Program current = program;
    boolean changed = true;
    while (changed && runs > 0) {
      changed = false;
      Program smaller = withoutRealms(current);
      for (int i = 0; i < smaller.statements().size(); ) {
        Program tried = firstThatDiffers(smaller, i);
        if (tried == null) {
          i++;
        } else {
          smaller = tried; // the next statement has moved to this index, or this one is simpler
        }
      }
      if (!smaller.equals(current)) {
        changed = true;
        current = smaller;
      }
    }
    return current;
  }

  private boolean stillDiffers(Program program) {
    return runs-- > 0 && differs.test(program);
  }

  private Program withoutRealms(Program program) {
    Program current = program;
    for (Program.Realm realm : program.realms().subList(1, program.realms().size())) {
      List<Program.Realm> rest = new ArrayList<>(current.realms());
      rest.remove(realm);
      Program smaller =
          edit(
              new Program(program.seed(), rest),
              statement -> mentions(statement, realm.name()) ? List.of() : List.of(statement));
      if (stillDiffers(smaller)) {
        current = smaller;
      }
    }
    return current;
  }

  private static boolean mentions(Statement statement, String realm) {
    return switch (statement) {
      case Statement.Start start -> start.realm().equals(realm);
      case Statement.End end -> end.realm().equals(realm);
      case Statement.Send send -> send.realm().equals(realm);
      default -> false;
    };
  }

  /** Returns the first smaller program by a change of one statement; null if none differs. */
  private @Nullable Program firstThatDiffers(Program program, int index) {
    Statement statement = program.statements().get(index);
    List<List<Statement>> replacements = new ArrayList<>();
    replacements.add(List.of());
    if (statement.body().stream().noneMatch(Statement.Await.class::isInstance)) {
      replacements.add(statement.body());
    }
    simpler(statement).forEach(each -> replacements.add(List.of(each)));
    for (List<Statement> replacement : replacements) {
      Program smaller = replace(program, statement, replacement);
      if (!smaller.equals(program) && stillDiffers(smaller)) {
        return smaller;
      }
    }
    return null;
  }

  private static List<Statement> simpler(Statement statement) {
    List<Statement> simpler = new ArrayList<>();
    switch (statement) {
      case Statement.Request request -> simplerRequests(request, simpler);
      case Statement.Settle settle -> {
        if (!(settle.value() instanceof Value.Text)) {
          simpler.add(new Statement.Settle(settle.deferred(), false, new Value.Text("v")));
        }
      }
      case Statement.Await await -> {
        if (!(await.value() instanceof Value.Undefined)) {
          simpler.add(new Statement.Await(await.id(), new Value.Undefined()));
        }
      }
      case Statement.Abort abort -> {
        if (abort.reason() != null) {
          simpler.add(new Statement.Abort(abort.controller(), null));
        }
      }
      default -> {}
    }
    return simpler;
  }

  private static void simplerRequests(Statement.Request request, List<Statement> simpler) {
    if (request.manager() != null || request.brokenThis()) {
      simpler.add(
          new Statement.Request(
              request.id(), null, false, request.name(), request.options(), request.callback()));
    }
    if (request.name().form() != Name.Form.STRING) {
      simpler.add(withName(request, new Name(request.name().text(), Name.Form.STRING)));
    }
    Options options = request.options();
    if (options.form() != Options.Form.ABSENT) {
      simpler.add(withOptions(request, new Options(Options.Form.ABSENT, List.of())));
    }
    if (options.form() == Options.Form.PROXY) {
      simpler.add(withOptions(request, new Options(Options.Form.OBJECT, options.members())));
    }
    for (Member member : options.members()) {
      List<Member> others = new ArrayList<>(options.members());
      others.remove(member);
      simpler.add(withOptions(request, new Options(options.form(), others)));
      if (member.access() != Member.Access.PLAIN) {
        List<Member> plain = new ArrayList<>(options.members());
        plain.set(
            plain.indexOf(member), new Member(member.key(), Member.Access.PLAIN, member.value()));
        simpler.add(withOptions(request, new Options(options.form(), plain)));
      }
    }
    if (request.callback() instanceof Callback.Function function) {
      boolean awaits = function.body().stream().anyMatch(Statement.Await.class::isInstance);
      if (function.async() && !awaits) {
        simpler.add(
            withCallback(
                request,
                new Callback.Function(
                    false, function.body(), function.fails(), function.result())));
      }
      if (function.fails() || !(function.result() instanceof Value.Undefined)) {
        simpler.add(
            withCallback(
                request,
                new Callback.Function(
                    function.async(), function.body(), false, new Value.Undefined())));
      }
    }
  }

  private static Statement.Request withName(Statement.Request request, Name name) {
    return new Statement.Request(
        request.id(),
        request.manager(),
        request.brokenThis(),
        name,
        request.options(),
        request.callback());
  }

  private static Statement.Request withOptions(Statement.Request request, Options options) {
    return new Statement.Request(
        request.id(),
        request.manager(),
        request.brokenThis(),
        request.name(),
        options,
        request.callback());
  }

  private static Statement.Request withCallback(Statement.Request request, Callback callback) {
    return new Statement.Request(
        request.id(),
        request.manager(),
        request.brokenThis(),
        request.name(),
        request.options(),
        callback);
  }

  private static Program replace(Program program, Statement old, List<Statement> replacement) {
    return edit(program, each -> each == old ? replacement : List.of(each));
  }

  /** Returns a program in which each statement is replaced, and then its body. */
  private static Program edit(Program program, Function<Statement, List<Statement>> change) {
    return new Program(
        program.seed(),
        program.realms().stream()
            .map(realm ->
                new Program.Realm(
                    realm.name(),
                    realm.kind(),
                    edit(realm.body(), change),
                    realm.handlers().stream().map(each -> edit(each, change)).toList()))
            .toList());
  }

  private static List<Statement> edit(
      List<Statement> body, Function<Statement, List<Statement>> change) {
    List<Statement> edited = new ArrayList<>();
    for (Statement statement : body) {
      for (Statement each : change.apply(statement)) {
        edited.add(each == statement ? withBody(each, edit(each.body(), change)) : each);
      }
    }
    return edited;
  }

  private static Statement withBody(Statement statement, List<Statement> body) {
    if (body.equals(statement.body())) {
      return statement;
    }
    return switch (statement) {
      case Statement.Request request
          when request.callback() instanceof Callback.Function function ->
          withCallback(
              request,
              new Callback.Function(function.async(), body, function.fails(), function.result()));
      case Statement.OnAbort on -> new Statement.OnAbort(on.id(), on.controller(), body);
      case Statement.React react -> new Statement.React(react.id(), react.promise(), body);
      case Statement.Later later -> new Statement.Later(later.id(), later.turn(), body);
      case Statement.Async async -> new Statement.Async(async.id(), body);
      default -> statement;
    };
  }
}
