package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.NpmPackage;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unchanged browser libraries as scripts of windows that share locks; in each test a window is
 * closed. {@link TabElectionTest} is another such test.
 */
class LibrariesInWindowsTest {

  /** Windows that all load a library. */
  private static final class Tabs implements AutoCloseable {
    private final Scenario scenario;
    private int opened;

    Tabs(long seed, String library) {
      scenario = new Scenario(seed).resource("/lib.js", library);
    }

    /** Opens a tab; its script gets its name as {@code tab}. */
    Tabs open(String script) {
      String page = "/tab-" + opened + ".html";
      scenario.resource(
          page,
          "<!doctype html><script src=/lib.js></script><script>const tab = 'tab %d'; %s</script>"
              .formatted(opened++, script));
      scenario.open(page);
      return this;
    }

    /** Runs the tabs for some seconds; returns their new log lines. */
    List<String> within(int seconds) {
      int seen = scenario.log().size();
      scenario.runFor(1_000L * seconds);
      return since(seen);
    }

    /** Runs so many turns, of a microsecond each; returns the new log lines. */
    List<String> turns(int number) {
      int seen = scenario.log().size();
      for (int i = 0; i < number; i++) {
        scenario.runTurn();
      }
      return since(seen);
    }

    private List<String> since(int seen) {
      assertEquals(List.of(), scenario.errors());
      return scenario.log().subList(seen, scenario.log().size());
    }

    void kill(String tab) {
      scenario.closeWindow(Integer.parseInt(tab.substring("tab ".length())));
    }

    @Override
    public void close() {
      scenario.close();
    }
  }

  private static String only(List<String> log, String what) {
    return LibrariesInstalledTest.only(log, what);
  }

  @Nested
  class BroadcastChannelElection {
    private static final NpmPackage PACKAGE = new NpmPackage("broadcast-channel");

    private static final String SCRIPT =
        """
        const channel = new BroadcastChannel2('app');
        const elector = createLeaderElection(channel);
        elector.awaitLeadership().then(() => {
          console.log(tab + ' leads');
          channel.postMessage({from: tab});
        });
        channel.onmessage = async message => {
          if (message === 'hand over') {
            if (elector.isLeader) await elector.die();
          } else {
            console.log(`${tab} hears of ${message.from}, leader: ${await elector.hasLeader()}`);
          }
        };
        """;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void one_tab_leads_until_it_ends_then_another_tab_leads(long seed) {
      try (Tabs tabs = new Tabs(seed, PACKAGE.read("dist/lib/browser.min.js"))) {
        tabs.open(SCRIPT).open(SCRIPT).open(SCRIPT);
        String first = only(tabs.within(5), " leads");

        tabs.kill(first);
        List<String> log = tabs.within(5);
        String second = only(log, " leads");
        assertTrue(!second.equals(first), log::toString);
        assertEquals(1, log.stream().filter(line -> line.endsWith("leader: true")).count());

        // this leader resigns: the library aborts its waiting request with a reason of its own
        tabs.open("new BroadcastChannel2('app').postMessage('hand over')");
        String third = only(tabs.within(5), " leads");
        assertEquals(3, List.of(first, second, third).stream().distinct().count());
      }
    }
  }

  @Nested
  class OidcRenewal {
    private static final NpmPackage PACKAGE = new NpmPackage("@axa-fr/oidc-client");

    /** Renews a session, which both tabs share in localStorage, at the token endpoint. */
    private static final String SCRIPT =
        """
        const part = object => btoa(JSON.stringify(object)).replaceAll('=', '');
        const seconds = Math.floor(Date.now() / 1000);
        const payload = {iss: 'https://id.test', aud: 'me', sub: 's', exp: seconds + 9e5, iat: seconds};
        localStorage['oidc.default'] ??= JSON.stringify({status: 'LOGGED', tokens: {
          accessToken: 'first', refreshToken: 'r', idToken: `${part({alg: 'none'})}.${part(payload)}.x`,
          accessTokenPayload: null, idTokenPayload: payload, expiresAt: seconds + 9e5, issuedAt: seconds,
          expiresIn: 9e5, tokenType: 'Bearer'}});
        localStorage['oidc.nonce.default'] = 'n';
        localStorage['oidc.login.default'] = JSON.stringify({callbackPath: '/', extras: {}, scope: 'openid'});
        const client = globalThis['oidc-client'].OidcClient.getOrCreate(() => fetch)({
          client_id: 'me', redirect_uri: location.origin + '/back', scope: 'openid',
          authority: 'https://id.test', storage: localStorage, token_renew_mode: 'access_token_invalid',
          authority_configuration: {
            authorization_endpoint: 'https://id.test/authorize', token_endpoint: `${location.origin}/token-of-${tab.at(-1)}`,
            issuer: 'https://id.test'},
        });
        let misses = 0;
        client.subscribeEvents(name => { if (name === 'syncTokensAsync_lock_not_available') misses++ });
        let ticks = 0;
        setInterval(() => {
          if (misses > 100 && ++ticks === 3) console.log(`${tab} ticks beside 100 misses`);
        }, 2);
        client.tryKeepExistingSessionAsync().then(async kept => {
          console.log(`${tab} has a session: ${kept}`);
          const tokens = await client.renewTokensAsync();
          console.log(`${tab} renewed: ${tokens?.accessToken}`);
          misses = 0;
        });
        """;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void busy_loop_lets_timers_fire_and_gets_a_closed_tabs_lock(long seed) {
      try (Tabs tabs = new Tabs(seed, PACKAGE.read("dist/index.umd.cjs"))) {
        tabs.scenario.resourceThatHangs("/token-of-0");
        tabs.scenario.response(
            Scenario.ORIGIN + "/token-of-1",
            ResourceResponse.of(
                Scenario.ORIGIN + "/token-of-1",
                "application/json",
                "{\"access_token\": \"second\", \"token_type\": \"Bearer\", \"expires_in\": 900000}"));
        tabs.open(SCRIPT);
        assertEquals(List.of("tab 0 has a session: true"), tabs.within(1));
        tabs.open(SCRIPT);
        List<String> log = tabs.turns(12_000);
        assertEquals("tab 1 has a session: true", log.getFirst());
        assertTrue(log.contains("tab 1 ticks beside 100 misses"), log::toString);
        tabs.kill("tab 0");
        log = tabs.turns(4_000);
        assertTrue(log.contains("tab 1 renewed: second"), log::toString);
      }
    }
  }
}
