/** The orb web of `icon.png`, small enough to go with each answer that says who the server is. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#12314a"/><path d="M16 2v28M2 16h28M6 6l20 20M6 26 26 6" stroke="#9fb8c7"/><path d="m16 10 4 2 2 4-2 4-4 2-4-2-2-4 2-4zM16 4l8 4 4 8-4 8-8 4-8-4-4-8 4-8z" fill="none" stroke="#dcf3ff"/><circle cx="24" cy="8" r="3" fill="#5cc8f2"/></svg>`

/** What clients show beside the name of the server. */
export const serverIcon = {
  src: `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
}
