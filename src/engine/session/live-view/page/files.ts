import { byId, showNotice } from './elements.ts'
import type { Link } from './link.ts'

type FileRequest = { multiple: boolean; mostFiles: number; mostBytes: number }
const chunkBytes = 256 * 1024

/** Uploads files that a page asks for. A browser opens its file chooser only after a click, so a dialog asks for one. */
export function createFiles(link: Link, closed: () => void): { ask(request: FileRequest): void } {
  const dialog = byId<HTMLDialogElement>('files')
  const field = byId<HTMLInputElement>('files-value')
  let request: FileRequest = { multiple: false, mostFiles: 0, mostBytes: 0 }

  async function send(files: readonly File[]): Promise<void> {
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (files.length > request.mostFiles || bytes > request.mostBytes) {
      link.send({ type: 'files', files: [] })
      return showNotice(`At most ${request.mostFiles} files, ${request.mostBytes / 1_000_000} MB in all.`)
    }
    link.send({ type: 'files', files: files.map(({ name, size }) => ({ name: name.slice(0, 1000), size })) })
    for (const file of files)
      for (let at = 0; at < file.size; at += chunkBytes) {
        link.sendBytes(new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer()))
        await link.untilSent()
      }
    if (files.length > 0) showNotice(files.length === 1 ? 'The file was sent.' : 'The files were sent.')
  }

  field.addEventListener('change', () => (byId<HTMLButtonElement>('files-yes').disabled = !field.files?.length))
  byId('files-no').addEventListener('click', () => dialog.close('no'))
  dialog.addEventListener('cancel', () => (dialog.returnValue = 'no'))
  dialog.addEventListener('close', () => {
    void send(dialog.returnValue === 'no' ? [] : Array.from(field.files ?? [])).catch(() =>
      showNotice('The file could not be read.'),
    )
    closed()
  })

  return {
    ask(wanted) {
      request = wanted
      field.multiple = request.multiple
      field.value = ''
      dialog.returnValue = ''
      byId<HTMLButtonElement>('files-yes').disabled = true
      byId('files-title').textContent = request.multiple ? 'The page asks for files.' : 'The page asks for a file.'
      byId('files-limit').textContent =
        `${request.multiple ? `At most ${request.mostFiles} files, ` : 'At most '}${request.mostBytes / 1_000_000} MB.`
      if (!dialog.open) dialog.showModal()
    },
  }
}
