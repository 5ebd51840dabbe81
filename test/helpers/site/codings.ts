import zlib from 'node:zlib'

import type { Route, Routes } from './route.ts'

/** 200,000,000 zero bytes in 304 bytes of Brotli, and in 276 bytes of gzip in gzip in gzip. */
const brotliBomb =
  'y///PwAkAOKxQHLv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8ACYA4LADd+z/+//8BIAEQhwWge//H//8/ACQA4rAAdO//+P//B4AEQBwWgO79H////wCQAIjDAtC9/+P//x8AEgBxWAC693/8//8DQAIgDgtA9/6P//9/AEgAxGEB6N7/8f//DwAJgDgsAN37P/7//wEgARCHBaB7/8f//z8AJADisAB07//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///HwASAHFYALr3f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmAOCwA3fu//A9eAyABEIcFoJu7Bg=='
const tripleGzipBomb =
  'H4sIAAAAAAAAA5Pv5mAAA+a3d9Z6sTCKtD2MLGt1dbyeYLRj+sbUj/w5TY6bKxjdNjMnbeKIa76ZImpSyZ51e52Ei8+jF33XDXjefLd5eWQyf3v520XxV3blf5977n5A3L87e74/52ZgYEg4NlU//e5LwwUSYf7W1ewMDAwH1lhHRb256t74/vDVs9umMzIwMEiV28nxvuJv7L/8OO72aZBjeqN/zsq5sr3h+Kuyyv1vc4FCDcdsudmA2h1EDoIUnFCSAFGRLMwMDAwKPQkgToogD0ihThPIzAmuBiCxQxxgTWLDV1ORrRzv8n7G5vOvUmqz1zE8iK8MzfEve9/Vfr013nDTneml35kYADXhS8DlAQAA'

/** Text of the well-formed routes below after decompression. */
export const packedText = `<!doctype html><title>Packed</title><p>Grüße aus dem Paket. ${'Lorem ipsum dolor sit amet. '.repeat(400)}`
const plain = Buffer.from(packedText)

/** Compressed responses, valid and invalid. */
export const codingRoutes: Routes = {
  '/coded/gzip': coded('gzip', () => zlib.gzipSync(plain)),
  '/coded/x-gzip': coded('x-gzip', () => zlib.gzipSync(plain)),
  '/coded/gzip-members': coded('gzip', () => Buffer.concat([zlib.gzipSync('first, '), zlib.gzipSync('second')])),
  '/coded/br': coded('br', () => zlib.brotliCompressSync(plain)),
  '/coded/zstd': coded('zstd', () => zlib.zstdCompressSync(plain)),
  '/coded/deflate': coded('deflate', () => zlib.deflateSync(plain)),
  '/coded/raw-deflate': coded('deflate', () => zlib.deflateRawSync(plain)),
  '/coded/upper-case': coded('GZIP', () => zlib.gzipSync(plain)),
  '/coded/gzip-then-br': coded('gzip, br', () => zlib.brotliCompressSync(zlib.gzipSync(plain))),
  '/coded/deflate-in-gzip': coded('deflate, gzip', () => zlib.gzipSync(zlib.deflateRawSync(plain))),
  '/coded/identity': coded('identity', () => plain),
  '/coded/utf-8': coded('UTF-8', () => plain),
  '/coded/four-fold': coded('gzip, gzip, gzip, gzip', () => wrapped(4)),
  '/coded/eight-fold': coded(Array(8).fill('gzip').join(', '), () => wrapped(8)),
  '/coded/unknown': coded('lzma', () => plain),
  '/coded/constructor': coded('constructor', () => plain),
  '/coded/not-gzip': coded('gzip', () => plain),
  '/coded/not-br': coded('br', () => Buffer.alloc(64, 0xff)),
  '/coded/cut-gzip': coded('gzip', () => zlib.gzipSync(plain).subarray(0, -20)),
  '/coded/cut-br': coded('br', () => zlib.brotliCompressSync(noise).subarray(0, -20)),
  '/coded/gzip-and-garbage': coded('gzip', () => Buffer.concat([zlib.gzipSync(plain), Buffer.alloc(10)])),
  '/bomb/br': coded('br', () => Buffer.from(brotliBomb, 'base64')),
  '/bomb/triple-gzip': coded('gzip, gzip, gzip', () => Buffer.from(tripleGzipBomb, 'base64')),
  '/bomb/gzip-members': coded('gzip', () => repeated(zlib.gzipSync(Buffer.alloc(1_000_000)), 200)),
  // Decodes to nothing, after 100 MB of members in between.
  '/bomb/empty-members': coded('gzip, gzip', () => repeated(zlib.gzipSync(repeated(zlib.gzipSync(''), 50_000)), 100)),
}

const noise = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * at * 31 + at * 7) % 251))

function coded(coding: string, make: () => Uint8Array): Route {
  let body: Uint8Array | undefined
  return ({ response }) => {
    body ??= make()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': coding }).end(body)
  }
}

function wrapped(times: number): Uint8Array {
  let body: Uint8Array = plain
  for (let at = 0; at < times; at++) body = zlib.gzipSync(body)
  return body
}

function repeated(part: Uint8Array, times: number): Uint8Array {
  return Buffer.concat(Array<Uint8Array>(times).fill(part))
}
