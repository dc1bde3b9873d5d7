package dev.weblocks.xhr;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.EventTarget;

/**
 * The {@code XMLHttpRequestEventTarget} interface.
 *
 * @see <a href="https://xhr.spec.whatwg.org/#xmlhttprequesteventtarget">XMLHttpRequest Standard</a>
 */
abstract sealed class XMLHttpRequestEventTarget extends EventTarget
    permits XMLHttpRequest, XMLHttpRequestUpload {

  XMLHttpRequestEventTarget(Realm realm) {
    super(realm);
  }

  static void define(Implementations implementations) {
    implementations.implement("XMLHttpRequestEventTarget", XMLHttpRequestEventTarget.class);
  }
}
