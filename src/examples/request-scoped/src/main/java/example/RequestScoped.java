package example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weblocks.embed.EvaluationException;
import dev.weblocks.embed.Globals;
import dev.weblocks.embed.Installation;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * An HTTP server whose requests are handled by script: each request takes a context from a pool, in
 * which a lock guards a transaction of the application's own storage. Makes some requests to
 * itself, all at once, shows that no money was lost, and ends.
 *
 * <pre>
 * mvn package
 * java -jar target/request-scoped.jar
 * </pre>
 */
public final class RequestScoped {

  private static final int CONTEXTS = 4;

  private static final Source HANDLER =
      Source.newBuilder(
              "js",
              """
              (async function transfer(from, to, amount) {
                if (from === to) { // the second lock would wait for the first one
                  throw new RangeError('from and to are both ' + from);
                }
                // Always in the same order, so that no two transfers wait for each other.
                const [first, second] = [from, to].sort();
                // Bounds the wait for the locks, not what is done with them.
                const patience = {signal: AbortSignal.timeout(10_000)};
                return navigator.locks.request('account ' + first, patience, () =>
                  navigator.locks.request('account ' + second, patience, async () => {
                    // The transaction begins after the grant and ends before the release: the next
                    // holder sees all of it. If this context ends half-way, nothing is written.
                    const transaction = bank.begin();
                    try {
                      const rest = transaction.balance(from) - amount;
                      await approval(); // without the locks, others would write meanwhile
                      if (rest < 0) {
                        throw new RangeError(from + ' has less than ' + amount);
                      }
                      transaction.set(from, rest);
                      transaction.set(to, transaction.balance(to) + amount);
                      transaction.commit();
                      return `${amount} from ${from} to ${to}`;
                    } catch (error) {
                      transaction.rollback();
                      throw error;
                    }
                  }));
              })
              """,
              "transfer.js")
          .buildLiteral();

  private static final Source APPROVAL =
      Source.newBuilder(
              "js",
              "function approval() { return new Promise(resolve => setTimeout(resolve, 5)); }",
              "approval.js") // simulates something slow, such as a remote response
          .buildLiteral();

  /** A context with the handler, used by one request at a time. */
  private record Worker(Installation installation, Value handler) {

    static Worker make(Engine engine, ExecutorService threads, UserAgent userAgent, Bank bank) {
      Context context =
          Context.newBuilder("js")
              .engine(engine)
              .option("js.unhandled-rejections", "handler") // or they would not be reported
              .build();
      context.getBindings("js").putMember("bank", bank);
      context.eval(APPROVAL);
      Value handler = context.eval(HANDLER);
      Installation installation =
          userAgent.installInto(context).globals(Globals.TIMERS, Globals.LOCKS).install(threads);
      return new Worker(installation, handler);
    }

    /** Returns a future that completes as the promise of the handler does. */
    CompletableFuture<String> transfer(String from, String to, int amount) {
      return installation.call(handler, Value::asString, from, to, amount);
    }
  }

  private final BlockingQueue<Worker> idle = new LinkedBlockingQueue<>();

  /** Handles {@code /transfer/FROM/TO/AMOUNT}, on a thread that may block. */
  private void handle(HttpExchange exchange) throws IOException {
    int status = 200;
    String body;
    try {
      String[] path = exchange.getRequestURI().getPath().split("/", -1);
      Worker worker = idle.take();
      try {
        body = worker.transfer(path[2], path[3], Integer.parseInt(path[4])).get();
      } finally {
        idle.add(worker);
      }
    } catch (IndexOutOfBoundsException | NumberFormatException bad) {
      status = 400;
      body = "use /transfer/FROM/TO/AMOUNT";
    } catch (ExecutionException failed) {
      Throwable failure = failed.getCause();
      status = failure instanceof EvaluationException ? 409 : 500;
      // the exception of the bank, or the error of script
      Throwable reason = failure.getCause() == null ? failure : failure.getCause();
      body = String.valueOf(reason.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      status = 503;
      body = "the server stops";
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  public static void main(String[] arguments) throws Exception {
    new RequestScoped().run();
  }

  private void run() throws Exception {
    Bank bank = new Bank(Map.of("alice", 100, "bob", 100, "carol", 100));
    // Closed from last to first: the engine, which closes the contexts, after all turns.
    try (Engine engine = Engine.create("js");
        ExecutorService turns = Executors.newFixedThreadPool(2);
        UserAgent userAgent = UserAgent.newBuilder().build();
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CONTEXTS; i++) {
        idle.add(Worker.make(engine, turns, userAgent, bank));
      }
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/transfer/", this::handle);
      server.setExecutor(requests); // they block on script, which has threads of its own
      server.start();
      try {
        requestTransfers("http://localhost:" + server.getAddress().getPort() + "/transfer/");
      } finally {
        server.stop(0);
      }
    }
    System.out.println(bank);
  }

  private static void requestTransfers(String base) {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      paths.addAll(List.of("alice/bob/1", "bob/carol/2", "carol/alice/3"));
    }
    paths.addAll(List.of("alice/bob/1000", "alice/nobody/1", "bob/bob/1"));
    try (HttpClient client = HttpClient.newHttpClient()) {
      List<CompletableFuture<HttpResponse<String>>> answers =
          paths.stream()
              .map(path -> HttpRequest.newBuilder(URI.create(base + path)).build())
              .map(request -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
              .toList();
      long done = answers.stream().filter(answer -> answer.join().statusCode() == 200).count();
      System.out.println(
          done + " of " + paths.size() + " transfers done by " + CONTEXTS + " contexts");
      answers.stream()
          .map(CompletableFuture::join)
          .filter(answer -> answer.statusCode() != 200)
          .forEach(answer -> System.out.println(answer.statusCode() + " " + answer.body()));
    }
  }
}
