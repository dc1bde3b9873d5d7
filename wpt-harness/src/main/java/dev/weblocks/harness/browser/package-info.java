/**
 * Installed browsers, controlled over their debugging protocols: Chromium with the DevTools
 * protocol, Firefox with WebDriver BiDi. No DevTools domain is enabled in a page.
 */
@NullMarked
package dev.weblocks.harness.browser;

import org.jspecify.annotations.NullMarked;
