package dev.weblocks.xhr;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;

/**
 * The {@code XMLHttpRequestUpload} interface.
 *
 * @see <a href="https://xhr.spec.whatwg.org/#xmlhttprequestupload">XMLHttpRequest Standard</a>
 */
final class XMLHttpRequestUpload extends XMLHttpRequestEventTarget {

  XMLHttpRequestUpload(Realm realm) {
    super(realm);
  }

  static void define(Implementations implementations) {
    implementations.implement("XMLHttpRequestUpload", XMLHttpRequestUpload.class);
  }
}
