package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.StackReserve;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * The internal script of each realm. It saves the engine's built-ins before page script runs,
 * installs the interfaces, and contains the functions that Java calls. Its files are modules for
 * readers and linters, but share one function, which the engine parses once.
 */
final class Prelude {

  /** The files in their order; {@code realm} stands for one of two. */
  static final List<String> FILES =
      List.of(
          "capture",
          "buffers",
          "conversions",
          "operations",
          "legacy-objects",
          "iteration",
          "global-proxies",
          "interfaces",
          "realm",
          "errors",
          "callbacks",
          "promises",
          "global-object",
          "platform-objects",
          "script-values",
          "host-api");

  private static final Pattern MODULE_SYNTAX = Pattern.compile("(?m)^(?:import [^;]*;\n|export )");

  private final Source ofOwnedContexts = join("prelude", "realm");
  private final Source ofEmbedders = join("embedder-prelude", "embedder-realm");

  private static Source join(String name, String realm) {
    StringBuilder code = new StringBuilder("(function (host) { 'use strict';\n");
    for (String file : FILES) {
      String path = "prelude/" + (file.equals("realm") ? realm : file) + ".js";
      String text = Resources.text(Platform.class, path);
      code.append(MODULE_SYNTAX.matcher(text).replaceAll("")).append('\n');
    }
    return Resources.internal("weblocks:" + name, code.append("return api; })"));
  }

  /**
   * Runs the prelude in a realm. Called once for each.
   *
   * @return the functions that Java calls, by part of the binding
   */
  Value run(Realm realm, Platform platform, Seam seam) {
    Agent agent = realm.agent();
    boolean ownsContext = agent.ownsContext();
    Value script = realm.evaluate(ownsContext ? ofOwnedContexts : ofEmbedders);
    RealmSources sources = platform.sourcesFor(realm.settings());
    Map<String, @Nullable Object> host = new HashMap<>(); // see capture.js
    host.put("kit", AgentKit.of(realm).value);
    host.put("seam", seam);
    host.put(
        "takeFailure",
        HostFunction.thatOutlivesTheAgent(realm, "take failure", none -> seam.takeFailure()));
    host.put("tables", agent.call(realm.evaluate(sources.index())));
    host.put("isEmbedders", !ownsContext);
    host.put(
        "isError",
        new HostFunction(
            realm, "error test", values -> values[0].isException() && !values[0].isHostObject()));
    host.put("part", new HostFunction(realm, "part", values -> part(realm, sources, values[0])));
    host.put("later", ownsContext && platform.hasLazyInterfaces() ? definingLater(sources) : null);
    host.put(
        "requireStack",
        (ProxyExecutable)
            none -> {
              StackReserve.requireForScript();
              return true;
            });
    return agent.call(script, ProxyObject.fromMap(host));
  }

  /**
   * Returns the function that defines lazy properties; null if the engine's classes are hidden.
   * Catches the LinkageError here, as the bytecode verifier may throw it before the first
   * instruction of {@link LazyProperties#on}.
   */
  private static @Nullable ProxyExecutable definingLater(RealmSources sources) {
    try {
      return LazyProperties.on(sources.names());
    } catch (LinkageError hidden) {
      return null;
    }
  }

  private static @Nullable Value part(Realm realm, RealmSources sources, Value which) {
    Source source =
        which.isString() ? sources.dictionary(which.asString()) : sources.part(which.asInt());
    return source == null ? null : realm.read(source);
  }
}
