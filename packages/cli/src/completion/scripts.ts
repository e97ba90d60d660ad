/** Shells that can be told what `stepfork` takes. */
export type Shell = 'bash' | 'zsh';

/** What a shell evaluates to complete `stepfork` command lines: it asks the program itself. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  // Bash breaks words at `:` and `=` too, and replaces what stands after the last of them.
  bash: `# Completes stepfork in bash. Put into ~/.bashrc: source <(stepfork completion bash)
_stepfork_complete() {
  local line="\${COMP_LINE:0:COMP_POINT}" each
  local current="\${line##*[[:space:]]}"
  local head="\${current%"\${current##*[:=]}"}"
  COMPREPLY=()
  while IFS= read -r each; do
    COMPREPLY+=("\${each#"$head"}")
  done < <(stepfork --get-completions "$line" 2>/dev/null)
}
complete -o default -F _stepfork_complete stepfork`,
  zsh: `#compdef stepfork
# Completes stepfork in zsh. Put into ~/.zshrc, after compinit: source <(stepfork completion zsh)
_stepfork_complete() {
  local -a found
  found=(\${(f)"$(stepfork --get-completions "\${(j: :)words[1,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- "\${found[@]}"; else _files; fi
}
compdef _stepfork_complete stepfork`,
};
