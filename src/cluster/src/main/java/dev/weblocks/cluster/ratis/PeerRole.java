package dev.weblocks.cluster.ratis;

import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The role that an authority has given to the owner of a certificate, as a URI in the
 * subjectAltName.
 *
 * @param kind of the role
 * @param subject the name of the owner, for messages
 */
record PeerRole(Kind kind, String subject) {

  /** The kinds of roles. */
  enum Kind {
    /** Votes, stores entries and changes the members, and is a client, too. */
    MEMBER("weblocks:member"),
    /** Uses locks. */
    CLIENT("weblocks:client"),
    NONE("");

    private final String uri;

    Kind(String uri) {
      this.uri = uri;
    }
  }

  /** The type of a URI in {@link X509Certificate#getSubjectAlternativeNames}. */
  private static final Integer URI = 6;

  /** The role of a connection without TLS. */
  static final PeerRole TRUSTED = new PeerRole(Kind.MEMBER, "");

  static PeerRole of(Certificate certificate) {
    return certificate instanceof X509Certificate x509
        ? new PeerRole(kind(x509), x509.getSubjectX500Principal().getName())
        : new PeerRole(Kind.NONE, certificate.getType());
  }

  /** Returns the role of the other side of a connection; null stands for none. */
  static PeerRole of(@Nullable SSLSession session) {
    try {
      return session == null
          ? new PeerRole(Kind.NONE, "")
          : of(session.getPeerCertificates()[0]); // that of the peer, before those of authorities
    } catch (SSLPeerUnverifiedException anonymous) {
      return new PeerRole(Kind.NONE, "");
    }
  }

  private static Kind kind(X509Certificate certificate) {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException malformed) {
      return Kind.NONE;
    }
    for (Kind each : List.of(Kind.MEMBER, Kind.CLIENT)) {
      if (names != null && names.contains(List.of(URI, each.uri))) {
        return each;
      }
    }
    return Kind.NONE;
  }

  /** Returns the message for a certificate without a role. */
  String withoutRole() {
    return ("the certificate '%s' has no role; renew it with the URI %s or %s in its"
            + " subjectAltName, or start the members with --accept-members-without-role until all"
            + " certificates are renewed")
        .formatted(subject, Kind.CLIENT.uri, Kind.MEMBER.uri);
  }

  /**
   * Returns the message for a certificate of a client that is used as one of a member.
   *
   * @param what was refused
   */
  String notOfMember(String what) {
    return "the certificate '%s' is one of a client; for %s use one of a member, with the URI %s in its subjectAltName"
        .formatted(subject, what, Kind.MEMBER.uri);
  }
}
