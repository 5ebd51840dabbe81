import { generateKeyPairSync, sign } from 'node:crypto'

export type CertificateFacts = { names: readonly string[]; ips?: readonly string[]; notBefore: Date; notAfter: Date }

/** A certificate for 127.0.0.1 that is valid except that no authority has signed it. */
export const localCertificate: CertificateFacts = {
  names: ['localhost', 'dev.test'],
  ips: ['127.0.0.1'],
  notBefore: new Date('2020-01-01T00:00:00Z'),
  notAfter: new Date('2049-01-01T00:00:00Z'),
}

/** Creates an ECDSA P-256 key and a self-signed X.509 v3 certificate (RFC 5280), in PEM. */
export function selfSigned({ names, ips = [], notBefore, notAfter }: CertificateFacts): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const ecdsaWithSha256 = sequence(der(0x06, hex('2a8648ce3d040302')))
  const subject = sequence(der(0x31, sequence(der(0x06, hex('550403')), der(0x0c, Buffer.from('Test site')))))
  const alternatives = [
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...ips.map((ip) => der(0x87, Buffer.from(ip.split('.').map(Number)))),
  ]
  const extensions = sequence(sequence(der(0x06, hex('551d11')), der(0x04, sequence(...alternatives))))
  const facts = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ecdsaWithSha256,
    subject,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', facts, privateKey)
  const certificate = sequence(facts, ecdsaWithSha256, der(0x03, hex('00'), signature))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate) }
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** Encodes a UTCTime, which is valid until 2049. */
function time(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
