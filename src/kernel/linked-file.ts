/** A picture or PDF that answers link to. */
export type LinkedFile = { mediaType: string; bytes: Uint8Array }

export type LinkedFiles = {
  /**
   * Keeps a file of a team until that moment, ms since the epoch, or else as long as the result of a job. Answers its
   * id: who knows it may read the file, and nobody can guess it. The same bytes keep their id for as long as they are there.
   */
  keep(file: LinkedFile & { teamId: string; until?: number | undefined }): Promise<string>
  find(id: string): Promise<LinkedFile | undefined>
}

/** Where a server answers such a file. */
export const linkedFilePath = (id: string) => `/v2/files/${id}`

/** Makes an address of a data URL; what is no file of ours comes back as it is. */
export type Link = (dataUrl: string, until?: number) => Promise<string>
