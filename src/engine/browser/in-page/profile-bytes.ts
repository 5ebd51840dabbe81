/// <reference lib="dom" />

/** Newer browsers have it built in (TC39 proposal "Uint8Array to/from base64"). */
type Native = { toBase64?(): string }
type NativeStatic = { fromBase64?(text: string): Uint8Array<ArrayBuffer> }

/** Runs in the page. */
export function toBase64(bytes: Uint8Array): string {
  const native = bytes as Native
  if (native.toBase64) return native.toBase64()
  let binary = ''
  // More arguments than this overflow the stack.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** Runs in the page. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = Uint8Array as NativeStatic
  if (native.fromBase64) return native.fromBase64(text)
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
