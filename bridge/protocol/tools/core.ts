/**
 * The tools that most work needs. MCP clients get only these by default, since the description of each listed tool costs
 * tokens in every conversation.
 */
export const coreTools: readonly string[] = [
  'read_file',
  'list_dir',
  'search_replace',
  'write_file',
  'grep_search',
  'file_search',
  'document_symbols',
  'go_to_definition',
  'find_references',
  'rename_symbol',
  'shell',
  'run_terminal_cmd',
  'read_terminal',
  'run_tests',
  'open_file',
  'get_errors',
  'get_settings',
  'set_setting',
  'list_commands',
  'run_command',
];
