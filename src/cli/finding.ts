/** One thing that `gossamer doctor` looked at. */
export type Finding = { topic: string; state: 'ok' | 'note' | 'fault'; says: string; advice?: string | undefined }
