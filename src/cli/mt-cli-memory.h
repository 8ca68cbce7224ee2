/* What the program says when memory ends. */
#pragma once

/* First thing in main(). May replace the process by a new one that runs the same program. */
void mt_cli_explain_lack_of_memory (char **argv);
