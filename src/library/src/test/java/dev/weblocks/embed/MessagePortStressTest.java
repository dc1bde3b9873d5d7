package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ports on real threads: no message is lost or reordered, and each end fires a close event. */
@Tag("alone")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MessagePortStressTest {

  private static IntStream rounds() {
    return IntStream.rangeClosed(1, TestSize.of(1, 3));
  }

  /**
   * Both ends of each channel move from worker to worker, through the window, while messages flow.
   */
  @ParameterizedTest
  @MethodSource("rounds")
  void no_message_is_lost_or_reordered_while_both_ports_are_transferred(int round)
      throws Exception {
    try (Pool pool = new Pool(4)) {
      pool.resource(
          "/mover.js",
          """
          onmessage = e => {
            let { role, id, n } = e.data;
            const [port] = e.ports;
            if (role === 'sender') {
              for (let i = 0; i < 23 && n < 400; i++) port.postMessage(n++);
              if (n < 400) postMessage({ role, id, n }, [port]);
              else port.postMessage('end');
              return;
            }
            port.onmessage = e => {
              if (e.data === 'end') return postMessage({ role: 'done', id, n });
              if (e.data !== n) return postMessage({ role: 'wrong', id, n, got: e.data });
              if (++n % 37 === 0) postMessage({ role, id, n }, [port]);
            };
          };
          """);
      pool.window(
          """
          const workers = [], channels = 12;
          let done = 0, next = 0;
          const pass = (data, ports) => workers[next++ % workers.length].postMessage(data, ports);
          for (let i = 0; i < 4; i++) {
            const worker = new Worker('/mover.js');
            worker.onmessage = e => {
              const { role, id, n, got } = e.data;
              if (role === 'wrong') console.log(`channel ${id}: ${got} instead of ${n}`);
              else if (role !== 'done') pass(e.data, e.ports);
              else if (n !== 400) console.log(`channel ${id}: ends at ${n}`);
              else if (++done === channels) console.log('all');
            };
            workers.push(worker);
          }
          for (let id = 0; id < channels; id++) {
            const { port1, port2 } = new MessageChannel();
            pass({ role: 'sender', id, n: 0 }, [port1]);
            pass({ role: 'receiver', id, n: 0 }, [port2]);
          }
          """);
      pool.expect("all");
      assertEquals(List.of(), pool.errors());
    }
  }

  /**
   * Workers are terminated while ports are in script, in queues, in queued messages and in messages
   * that are being read; everything that only these workers retained becomes garbage at once.
   */
  @ParameterizedTest
  @MethodSource("rounds")
  void every_port_gets_one_close_event_when_the_other_port_ends(int round) throws Exception {
    try (Pool pool = new Pool(4);
        GarbageCollection often = new GarbageCollection()) {
      pool.resource(
          "/keeper.js",
          """
          const kept = [];
          onmessage = e => {
            const [control] = e.ports;
            control.onmessage = e => {
              const [first, ...rest] = e.ports;
              first.postMessage('here');
              kept.push(first);
              // a port that nobody starts gets the others
              const { port1, port2 } = new MessageChannel();
              if (rest.length) port1.postMessage(0, rest);
              kept.push(port2);
              for (let i = 0; i < 2000; i++); // some are shot in here
            };
            control.postMessage('ready');
          };
          """);
      pool.window(
          """
          const total = 120;
          let closed = 0, here = 0;
          const heard = new Map();
          for (let w = 0; w < 4; w++) {
            const worker = new Worker('/keeper.js');
            const control = new MessageChannel();
            control.port1.onmessage = () => {
              for (let i = 0; i < 10; i++) {
                const ports = [];
                for (let p = 0; p < 3; p++) {
                  const { port1, port2 } = new MessageChannel();
                  const id = `${w}/${i}/${p}`;
                  port1.onmessage = () => { if (++here % 5 === 0) worker.terminate(); };
                  port1.onclose = () => {
                    if (heard.has(id)) console.log('twice ' + id);
                    heard.set(id, true);
                    if (++closed === total) console.log('all closed');
                  };
                  ports.push(port2);
                }
                control.port1.postMessage(i, ports);
              }
              setTimeout(() => worker.terminate(), 20);
            };
            worker.postMessage(0, [control.port2]);
          }
          """);
      pool.expect("all closed");
      assertEquals(List.of(), pool.errors());
    }
  }

  /** A thread that repeatedly collects garbage. */
  private static final class GarbageCollection implements AutoCloseable {

    private final Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              while (!Thread.currentThread().isInterrupted()) {
                System.gc();
                LockSupport.parkNanos(20_000_000);
              }
            });

    @Override
    public void close() throws InterruptedException {
      thread.interrupt();
      thread.join();
    }
  }
}
