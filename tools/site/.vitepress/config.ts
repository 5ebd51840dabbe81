import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { contentsOf } from '../pages.ts'

const root = join(import.meta.dirname, '../../..')

export default defineConfig({
  title: 'Gossamer',
  description: 'The web for AI agents: an MCP server and REST API in one program.',
  srcDir: '.pages',
  rewrites: { 'README.md': 'index.md' },
  // Each page is an .html file, so any web server can serve the folder.
  cleanUrls: false,
  markdown: { languageAlias: { sh: 'bash' } },
  themeConfig: {
    // The index is part of the site, so searches send no requests to other servers.
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Docs', link: '/docs/index.md' },
      { text: 'Reference', link: '/docs/reference/index.md' },
    ],
    sidebar: contentsOf(root),
  },
})
