package example;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.graalvm.polyglot.HostAccess;

/**
 * An example of application storage: a table of balances, whose transactions read the table as it
 * was when they began, and write all or nothing. As in many stores, that does not prevent two
 * transactions from reading the same balance and overwriting each other: the last one wins.
 *
 * <p>Script can access exported members only. Thread-safe.
 */
public final class Bank {

  private final Map<String, Integer> balances = new TreeMap<>();

  /**
   * Creates a bank.
   *
   * @param balances the balances by account
   */
  public Bank(Map<String, Integer> balances) {
    this.balances.putAll(balances);
  }

  @HostAccess.Export
  public synchronized Transaction begin() {
    return new Transaction(Map.copyOf(balances));
  }

  private synchronized void write(Map<String, Integer> changes) {
    balances.putAll(changes);
  }

  @Override
  public synchronized String toString() {
    int sum = balances.values().stream().mapToInt(Integer::intValue).sum();
    return balances + ", together " + sum;
  }

  /** A transaction, used by one context, so by one thread at a time. */
  public final class Transaction {
    private final Map<String, Integer> seen;
    private final Map<String, Integer> changes = new HashMap<>();
    private boolean over;

    private Transaction(Map<String, Integer> seen) {
      this.seen = seen;
    }

    @HostAccess.Export
    public int balance(String account) {
      Integer balance = changes.getOrDefault(account, seen.get(account));
      if (balance == null) {
        throw new IllegalArgumentException("there is no account " + account);
      }
      return balance;
    }

    @HostAccess.Export
    public void set(String account, int balance) {
      changes.put(account, balance);
    }

    @HostAccess.Export
    public void commit() {
      end();
      write(changes);
    }

    @HostAccess.Export
    public void rollback() {
      end();
    }

    private void end() {
      if (over) {
        throw new IllegalStateException("the transaction is over; begin another one");
      }
      over = true;
    }
  }
}
