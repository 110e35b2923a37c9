-- Neovim 0.11 and later: put this file into `lsp/` of your configuration and call vim.lsp.enable('manyworlds')
return {
  cmd = { 'manyworlds', 'lsp', '--stdio' },
  filetypes = { 'usda', 'usd', 'urdf', 'xml', 'yaml' },
  root_markers = { 'manyworlds.json', 'package.xml', '.git' },
}
