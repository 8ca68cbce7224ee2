/* What the programs that take pictures of the window share. */
#pragma once

#include "apputils.h"

G_BEGIN_DECLS

void  mt_picture_init        (const char *folder);       /* where they go; the font and buttons of a desktop */
/* As on a desktop: no frame drawn for want of a window manager, no stripes. */
void  mt_picture_dress       (MtWindow   *window);
void  mt_picture_take        (MtWindow   *window,
                              const char *name);         /* without ".png" */
/* With the question that it asks, which is waited for, over it. */
void  mt_picture_take_asked  (MtWindow   *window,
                              const char *name);
/* A copy in the home folder, whose path may be seen in a picture. */
GFile *mt_picture_copy_sample (const char *name);
void  mt_picture_open_sample (MtWindow   *window,
                              const char *name);
char *mt_picture_dup_path    (const char *name);

G_END_DECLS
