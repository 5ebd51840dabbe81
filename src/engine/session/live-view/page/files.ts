import { byId, notice } from './elements.ts'
import type { Link } from './link.ts'

type Wish = { multiple: boolean; mostFiles: number; mostBytes: number }
const chunkBytes = 256 * 1024

/** Files for a page that asks for them: a browser opens its own list of files only where somebody presses. */
export function createFiles(link: Link, closed: () => void): { ask(wish: Wish): void } {
  const dialog = byId<HTMLDialogElement>('files')
  const field = byId<HTMLInputElement>('files-value')
  let wish: Wish = { multiple: false, mostFiles: 0, mostBytes: 0 }

  async function send(files: readonly File[]): Promise<void> {
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (files.length > wish.mostFiles || bytes > wish.mostBytes) {
      link.say({ type: 'files', files: [] })
      return notice(`At most ${wish.mostFiles} files, ${wish.mostBytes / 1_000_000} MB in all.`)
    }
    link.say({ type: 'files', files: files.map(({ name, size }) => ({ name: name.slice(0, 1000), size })) })
    for (const file of files)
      for (let at = 0; at < file.size; at += chunkBytes) {
        link.bytes(new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer()))
        await link.drained()
      }
    if (files.length > 0) notice(files.length === 1 ? 'The file was sent.' : 'The files were sent.')
  }

  field.addEventListener('change', () => (byId<HTMLButtonElement>('files-yes').disabled = !field.files?.length))
  byId('files-no').addEventListener('click', () => dialog.close('no'))
  dialog.addEventListener('cancel', () => (dialog.returnValue = 'no'))
  dialog.addEventListener('close', () => {
    void send(dialog.returnValue === 'no' ? [] : Array.from(field.files ?? [])).catch(() =>
      notice('The file could not be read.'),
    )
    closed()
  })

  return {
    ask(wanted) {
      wish = wanted
      field.multiple = wish.multiple
      field.value = ''
      dialog.returnValue = ''
      byId<HTMLButtonElement>('files-yes').disabled = true
      byId('files-title').textContent = wish.multiple ? 'The page asks for files.' : 'The page asks for a file.'
      byId('files-limit').textContent =
        `${wish.multiple ? `At most ${wish.mostFiles} files, ` : 'At most '}${wish.mostBytes / 1_000_000} MB.`
      if (!dialog.open) dialog.showModal()
    },
  }
}
