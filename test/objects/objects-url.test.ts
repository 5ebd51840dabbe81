import { expect, test } from 'vitest'
import { objectsPlace, parseObjectsUrl, completedObjects } from '../../src/engine/store/data-places.ts'

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'a/b+c%d@:' }

test.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '', endpoint: 'https://s3.us-east-1.amazonaws.com' }],
  ['s3://bucket/', { prefix: '' }],
  ['s3://bucket/a', { prefix: 'a/' }],
  ['s3://bucket/a/b/', { prefix: 'a/b/' }],
  [
    's3://My.Bucket_1?region=eu-central-1',
    { bucket: 'My.Bucket_1', endpoint: 'https://s3.eu-central-1.amazonaws.com' },
  ],
  ['s3://bucket?endpoint=http://10.0.0.7:9000/', { endpoint: 'http://10.0.0.7:9000', region: 'us-east-1' }],
  ['s3://bucket?endpoint=https://a.example/storage/s3&region=r', { endpoint: 'https://a.example/storage/s3' }],
])('%s is read', (url, expected) => expect(parseObjectsUrl(url)).toMatchObject(expected))

test.each([
  ['bucket', /takes a URL such as s3:/],
  ['https://bucket/prefix', /takes a URL such as s3:/],
  ['s3:///prefix', /takes a URL such as s3:/],
  ['s3://b', /takes a URL such as s3:/],
  ['s3://bucket:9000', /takes a URL such as s3:/],
  ['s3://bucket/a b', /prefix/],
  ['s3://bucket/a//b', /prefix/],
  ['s3://bucket?endpint=https://a.example', /only the parameters endpoint, region, session_token/],
  ['s3://bucket?endpoint=a.example', /endpoint/],
  ['s3://bucket?endpoint=https://id:hushed@a.example', /endpoint/],
  ['s3://bucket?endpoint=file:///etc', /endpoint/],
  ['s3://bucket?region=a/b', /region/],
])('%s is refused', (url, why) => {
  expect(() => parseObjectsUrl(url)).toThrow(why)
  expect(() => parseObjectsUrl(url)).not.toThrow(/hushed/)
})

test('a URL of a store takes its keys from the standard AWS variables', () => {
  const { objectsUrl = '' } = completedObjects({ objectsUrl: 's3://bucket/a' }, { ...keys, AWS_SESSION_TOKEN: 'x=&y' })
  expect(parseObjectsUrl(objectsUrl)).toMatchObject({
    bucket: 'bucket',
    prefix: 'a/',
    credentials: { accessKeyId: 'id', secretAccessKey: 'a/b+c%d@:', sessionToken: 'x=&y' },
  })
  expect(completedObjects({}, keys)).toEqual({})
})

test('a URL of a store without keys is refused by the name of the setting', () => {
  expect(() => completedObjects({ objectsUrl: 's3://bucket' }, { AWS_ACCESS_KEY_ID: 'id' })).toThrow(
    /needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
  )
})

test('a URL is shown without keys', () => {
  expect(objectsPlace('s3://id:hushed@bucket/a?endpoint=https://a.example')).toBe('bucket/a/ at a.example')
})
