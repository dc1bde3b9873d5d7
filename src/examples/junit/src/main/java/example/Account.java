package example;

/** An account of the application. Its scripts get the methods as functions. */
public final class Account {
  private int balance;

  public int balance() {
    return balance;
  }

  public void setBalance(int newBalance) {
    balance = newBalance;
  }
}
