export type FileContent = { filename: string; bytes: Uint8Array }

export type Files = {
  /** A file of this machine. Fails with FILE_NOT_ALLOWED outside the folders of the setting, FILE_NOT_FOUND, or PAYLOAD_TOO_LARGE. */
  read(path: string): Promise<FileContent>
}
