/** Windows character sets of fonts, and the code pages of `\ansicpg` that are called otherwise, as labels of decoders. */
const charsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}
const codePages: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  65001: 'utf-8',
}

export const charsetLabel = (charset: number): string | undefined => charsets[charset]

export function codePageLabel(page: number): string {
  return codePages[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252')
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>()

export function decodeBytes(bytes: readonly number[], label: string): string {
  const decoder = decoders.get(label) ?? new TextDecoder(label)
  decoders.set(label, decoder)
  return decoder.decode(Uint8Array.from(bytes))
}
