package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.ratis.PeerRole.Kind;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts the certificates of authorities, but none of a client as that of a member: it would get
 * entries with the secrets of all sessions. Thread-safe.
 */
final class MemberTrust extends X509ExtendedTrustManager {

  /** The certificate of another side that is no member, though it listens in place of one. */
  static final class NoMember extends CertificateException {
    private static final long serialVersionUID = 1;

    NoMember(PeerRole role) {
      super(
          role.kind() == Kind.NONE
              ? role.withoutRole()
              : role.notOfMember("the address of a member"));
    }
  }

  private final X509ExtendedTrustManager authorities;
  private final boolean acceptsWithoutRole;

  /**
   * Creates a trust manager.
   *
   * @param trusted the certificates of the authorities
   * @param acceptsWithoutRole whether a certificate without a role is taken for one of a member
   * @throws GeneralSecurityException if they cannot be used
   */
  MemberTrust(List<X509Certificate> trusted, boolean acceptsWithoutRole)
      throws GeneralSecurityException {
    this.acceptsWithoutRole = acceptsWithoutRole;
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException impossible) {
      throw new GeneralSecurityException(impossible);
    }
    for (int i = 0; i < trusted.size(); i++) {
      store.setCertificateEntry("authority" + i, trusted.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    X509ExtendedTrustManager found = null;
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509ExtendedTrustManager extended) {
        found = extended;
      }
    }
    if (found == null) {
      throw new GeneralSecurityException("the JDK has no trust manager for certificates");
    }
    authorities = found;
  }

  private void requireMember(X509Certificate[] chain) throws NoMember {
    PeerRole role = PeerRole.of(chain[0]);
    if (role.kind() == Kind.CLIENT || (role.kind() == Kind.NONE && !acceptsWithoutRole)) {
      throw new NoMember(role);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    authorities.checkServerTrusted(chain, type, engine);
    requireMember(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    authorities.checkServerTrusted(chain, type, socket);
    requireMember(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    authorities.checkServerTrusted(chain, type);
    requireMember(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    authorities.checkClientTrusted(chain, type, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    authorities.checkClientTrusted(chain, type, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    authorities.checkClientTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.getAcceptedIssuers();
  }
}
