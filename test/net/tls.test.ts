import { describe, expect, test } from 'vitest'
import { toNetworkError } from '../../src/engine/net/http/connector.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { startSite } from '../helpers/site.ts'
import { localCertificate } from '../helpers/site/self-signed.ts'
import { client, names, textOf } from './fetching.ts'

const certificates = {
  'is self-signed': localCertificate,
  'has expired': { ...localCertificate, notAfter: new Date('2021-01-01T00:00:00Z') },
  'is for another name': { ...localCertificate, names: ['other.test'], ips: [] },
}

describe.each(Object.entries(certificates))('a certificate that %s', (_, certificate) => {
  const site = siteForAll({ certificate })

  test('is reported as a TLS failure', async () => {
    const before = site.requests.length
    await expect(client()(site.url('/plain'))).rejects.toMatchObject({
      code: 'SCRAPE_SSL_ERROR',
      message: 'The TLS certificate of the site could not be verified.',
    })
    expect(site.requests.length).toBe(before)
  })

  test('is accepted with skipTlsVerification, for that request only', async () => {
    const get = client({ lookup: names({ 'dev.test': [['127.0.0.1']] }) })
    const page = await get(site.url('/redirect/302'), { skipTlsVerification: true })
    expect(textOf(page)).toContain('You have arrived.')
    expect((await get(`https://dev.test:${site.port}/plain`, { skipTlsVerification: true })).status).toBe(200)
    await expect(get(site.url('/plain'))).rejects.toMatchObject({ code: 'SCRAPE_SSL_ERROR' })
  })

  test('does not open a closed address', async () => {
    const get = client({ allowHosts: [], lookup: names({ 'a.example.com': [['127.0.0.1']] }) })
    const request = { skipTlsVerification: true }
    await expect(get(site.url('/plain'), request)).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
    await expect(get(`https://a.example.com:${site.port}/`, request)).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
    })
  })
})

test('a site that does not speak TLS is a TLS failure, not a certificate failure', async () => {
  const site = await startSite()
  await expect(client()(site.url('/plain').replace('http:', 'https:'))).rejects.toMatchObject({
    code: 'SCRAPE_SSL_ERROR',
    message: expect.stringMatching(/^No TLS connection could be agreed on with the site: [a-z ]+\.$/),
  })
  await site.close()
})

test.each([
  [
    'SCRAPE_SSL_ERROR',
    `CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED CERT_UNTRUSTED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN
     UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH
     ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION EPROTO`,
  ],
  ['SCRAPE_DNS_RESOLUTION_ERROR', 'ENOTFOUND EAI_AGAIN'],
  ['SCRAPE_ALL_ENGINES_FAILED', 'UND_ERR_CONNECT_TIMEOUT EHOSTUNREACH ECONNRESET'],
])('%s is reported for the system errors %s', (reported, codes) => {
  for (const code of codes.split(/\s+/))
    expect(toNetworkError(Object.assign(new Error(code), { code })), code).toMatchObject({ code: reported })
})
