package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.net.InternetDomainName;
import com.google.thirdparty.publicsuffix.PublicSuffixPatterns;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Registrable domains, by rules of the list and by the default rule. */
class PublicSuffixesTest {

  @ParameterizedTest
  @CsvSource({
    "example.com, example.com",
    "www.example.com, example.com",
    "a.b.c.example.co.uk, example.co.uk",
    "example.com., example.com.",
    "www.example.com., example.com.",
    // private domains are included, as in browsers
    "alice.github.io, alice.github.io",
    "pages.alice.github.io, alice.github.io",
    // a wildcard, and its exception
    "a.b.c.ck, b.c.ck",
    "www.ck, www.ck",
    "a.www.ck, www.ck",
    // the default rule
    "web-platform.test, web-platform.test",
    "www.web-platform.test, web-platform.test",
    "not-web-platform.test, not-web-platform.test",
    "a.b.localhost, b.localhost",
    // in ASCII form
    "www.xn--85x722f.xn--55qx5d.cn, xn--85x722f.xn--55qx5d.cn",
    // labels that are not in the list
    "a_b.example.com, example.com",
    "a.-x-.com, -x-.com",
    "a.$!.co.uk, $!.co.uk",
    "b.$.ck, b.$.ck",
    "a.b.9x, b.9x",
    "a.b.x_, b.x_",
  })
  void registrable_domain_is_the_public_suffix_and_one_label(String host, String expected) {
    assertEquals(expected, PublicSuffixes.registrableDomain(host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com",
        "co.uk",
        "github.io",
        "c.ck",
        "localhost",
        "test",
        "test.",
        "127.0.0.1",
        "[::1]",
        "",
        ".",
        "[2001:db8::1]"
      })
  void addresses_public_suffixes_and_single_labels_have_no_registrable_domain(String host) {
    assertNull(PublicSuffixes.registrableDomain(host));
  }

  /** Compares with the library that the list is taken from. */
  @Test
  void each_rule_of_the_list_is_applied_as_by_guava() {
    Set<String> rules = new TreeSet<>(PublicSuffixPatterns.EXACT.keySet());
    rules.addAll(PublicSuffixPatterns.UNDER.keySet());
    rules.addAll(PublicSuffixPatterns.EXCLUDED.keySet());
    rules.removeIf(rule -> rule.chars().anyMatch(c -> c > 0x7F));
    assertTrue(rules.size() > 9_000, rules.size() + " rules");
    for (String rule : rules) {
      for (String host : List.of(rule, "a." + rule, "b.a." + rule, "c.b.a." + rule)) {
        InternetDomainName suffix = InternetDomainName.from(host).publicSuffix();
        String[] labels = host.split("\\.");
        int from = labels.length - (suffix == null ? 1 : suffix.parts().size()) - 1;
        assertEquals(
            from < 0 ? null : String.join(".", Arrays.asList(labels).subList(from, labels.length)),
            PublicSuffixes.registrableDomain(host),
            host);
      }
    }
  }

  @Test
  void registrable_domain_of_a_very_long_host_is_found() {
    String label = "x".repeat(70);
    assertEquals(
        label + ".co.uk",
        PublicSuffixes.registrableDomain((label + ".").repeat(50) + label + ".co.uk"));
    assertEquals("y.com", PublicSuffixes.registrableDomain("abcdefghi.".repeat(5_000) + "y.com"));
  }
}
