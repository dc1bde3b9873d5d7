package dev.weblocks.global;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the {@code navigator} objects of windows and workers. The navigator
 * compatibility mode is Chrome, because error messages and stacks have the same form as in Chrome.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/system-state.html#the-navigator-object">HTML</a>
 */
public abstract class AbstractNavigator extends PlatformObject {

  private final NavigatorFacts facts;
  private @Nullable Value languages;

  protected AbstractNavigator(Realm realm) {
    super(realm);
    this.facts = NavigatorFacts.of(realm.agent().userAgent());
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/system-state.html#dom-navigator-appversion">appVersion</a>
   */
  private String appVersion() {
    // 1.
    if (!facts.userAgent().startsWith("Mozilla/5.0 (")) {
      return "";
    }
    // 2. and 3.
    return facts.userAgent().substring("Mozilla/".length());
  }

  /** Returns the languages as a frozen array; the same array on each call. */
  private Value languages() {
    Value made = languages;
    if (made == null) {
      made = binding().values().frozenArray(facts.languages());
      languages = made;
    }
    return made;
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("NavigatorID", AbstractNavigator.class)
        .getter("appCodeName", self -> "Mozilla")
        .getter("appName", self -> "Netscape")
        .getter("appVersion", AbstractNavigator::appVersion)
        .getter("platform", self -> self.facts.platform())
        .getter("product", self -> "Gecko")
        .getter("productSub", self -> "20030107")
        .getter("userAgent", self -> self.facts.userAgent())
        .getter("vendor", self -> "Google Inc.")
        .getter("vendorSub", self -> "");
    implementations
        .mixin("NavigatorLanguage", AbstractNavigator.class)
        .getter("language", self -> self.facts.languages().getFirst())
        .getter("languages", AbstractNavigator::languages);
    // always true: only an actual request shows whether the network can be reached
    implementations
        .mixin("NavigatorOnLine", AbstractNavigator.class)
        .getter("onLine", self -> true);
    implementations
        .mixin("NavigatorConcurrentHardware", AbstractNavigator.class)
        .getter("hardwareConcurrency", self -> self.facts.hardwareConcurrency());
  }
}
