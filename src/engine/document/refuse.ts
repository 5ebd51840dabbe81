import { fail, type FailureFacts } from '../../kernel/error.ts'

/**
 * Throws SCRAPE_UNSUPPORTED_FILE_ERROR because of the file itself: broken, locked, too large, or of an unsupported
 * kind.
 */
export function refuse(message: string, { hint, cause }: Pick<FailureFacts, 'hint' | 'cause'> = {}): never {
  return fail('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message,
    hint: hint ?? 'Open the file in the program that made it, save it again, and scrape that copy.',
    cause,
  })
}

/** Names of streams in an OLE compound file, encoded in its directory as UTF-16LE. */
const streams: readonly (readonly [name: string, message: string, hint: string])[] = [
  ['EncryptedPackage', 'The document is password-protected.', 'Save it without a password and scrape that copy.'],
  [
    'WordDocument',
    'The file is a Word document in the old binary format (.doc).',
    'Save it as .docx and scrape that copy.',
  ],
  [
    'Workbook',
    'The file is an Excel workbook in the old binary format (.xls).',
    'Save it as .xlsx and scrape that copy.',
  ],
  ['Book', 'The file is an Excel workbook in the old binary format (.xls).', 'Save it as .xlsx and scrape that copy.'],
  [
    'PowerPoint Document',
    'The file is a PowerPoint presentation in the old binary format (.ppt).',
    'Save it as .pptx and scrape that copy.',
  ],
  [
    '__properties_version1.0',
    'The file is an Outlook message (.msg).',
    'Save it as text or HTML and scrape that copy.',
  ],
]
const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** Throws SCRAPE_UNSUPPORTED_FILE_ERROR for an OLE compound file, naming its kind; returns for any other file. */
export function refuseLegacy(bytes: Uint8Array): void {
  if (signature.some((byte, i) => bytes[i] !== byte)) return
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const [name, message, hint] of streams)
    if (buffer.includes(Buffer.from(`${name}\0`, 'utf16le'))) refuse(message, { hint })
  refuse('The file is an office document in an old binary format.', {
    hint: 'Save it in a current format and scrape that copy.',
  })
}
