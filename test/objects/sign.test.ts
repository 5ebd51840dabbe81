import { describe, expect, test } from 'vitest'
import { amzDate, authorization, bodyDigest } from '../../src/engine/objects/sign.ts'

const signatureOf = (header: string) => header.split('Signature=')[1]

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
describe('the examples that S3 gives of its signature', () => {
  const credentials = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const scope = { region: 'us-east-1', service: 's3', at: new Date('2013-05-24T00:00:00Z') }
  const host = 'examplebucket.s3.amazonaws.com'
  const none = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const standard = { host, 'x-amz-content-sha256': none, 'x-amz-date': '20130524T000000Z' }

  test('GET Object', () => {
    const headers = { ...standard, range: 'bytes=0-9' }
    expect(authorization({ method: 'GET', path: '/test.txt', headers }, credentials, scope)).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
  })

  test('PUT Object', () => {
    const body = Buffer.from('Welcome to Amazon S3.')
    const headers = {
      ...standard,
      'x-amz-content-sha256': bodyDigest(body),
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    }
    const made = authorization({ method: 'PUT', path: '/test%24file.text', headers }, credentials, scope)
    expect(signatureOf(made)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd')
  })

  test.each([
    ['lifecycle=', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('GET Bucket with %s', (query, signature) => {
    const made = authorization({ method: 'GET', path: '/', query, headers: standard }, credentials, scope)
    expect(signatureOf(made)).toBe(signature)
  })
})

/** The suite that AWS gives its own libraries, where the body is not among the headers. */
test.each([
  ['get-vanilla', 'GET', '', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    'Param1=value1&Param2=value2',
    {},
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  ['post-vanilla', 'POST', '', {}, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'get-header-value-trim',
    'GET',
    '',
    { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' },
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
])('%s of the suite of AWS', (_name, method, query, more, signature) => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
  const scope = { region: 'us-east-1', service: 'service', at: new Date('2015-08-30T12:36:00Z') }
  const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', ...more }
  expect(signatureOf(authorization({ method, path: '/', query, headers }, credentials, scope))).toBe(signature)
})

test('a time without its fractions', () => {
  expect(amzDate(new Date('2026-01-02T03:04:05.678Z'))).toBe('20260102T030405Z')
})
