#include "config.h"
#include "pictures.h"

#include "util/mt-samples.h"

static const char *folder;

void
mt_picture_init (const char *path)
{
  folder = path;
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", "gtk-decoration-layout", ":close", NULL);
}

char *
mt_picture_dup_path (const char *name)
{
  g_autofree char *file = g_strconcat (name, ".png", NULL);

  return g_build_filename (folder, file, NULL);
}

static void
undress (GtkWidget *window)
{
  gtk_widget_remove_css_class (window, "solid-csd");
  gtk_widget_remove_css_class (window, "devel");
}

void
mt_picture_dress (MtWindow *window)
{
  undress (GTK_WIDGET (window));
}

void
mt_picture_take (MtWindow   *window,
                 const char *name)
{
  g_autofree char *path = mt_picture_dup_path (name);

  mt_picture_dress (window);
  mt_app_settle (250);   /* samples counted, distributions drawn, findings listed */
  mt_app_shot (GTK_WIDGET (window), path);
}

/* The dialog is a window of its own, which a window manager would put over the middle of its parent. */
void
mt_picture_take_asked (MtWindow   *window,
                       const char *name)
{
  g_autofree char *path = mt_picture_dup_path (name);
  GtkWidget *question;

  mt_picture_dress (window);
  mt_app_wait_asked (window);
  question = GTK_WIDGET (mt_app_find_question (window));
  mt_app_wait ((MtAppCondition) gtk_widget_get_mapped, question);
  undress (question);
  mt_app_settle (250);
  mt_app_shot_over (GTK_WIDGET (window), question, path);
}

GFile *
mt_picture_copy_sample (const char *name)
{
  g_autoptr (GFile) file = mt_samples_get_file (name);
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *path = g_build_filename (g_get_home_dir (), "Documents", base, NULL);
  g_autoptr (GFile) copy = g_file_new_for_path (path);
  g_autoptr (GFile) documents = g_file_get_parent (copy);

  g_file_make_directory_with_parents (documents, NULL, NULL);
  g_assert_true (g_file_copy (file, copy, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL));
  return g_steal_pointer (&copy);
}

void
mt_picture_open_sample (MtWindow   *window,
                        const char *name)
{
  g_autoptr (GFile) copy = mt_picture_copy_sample (name);

  mt_app_open (window, copy);
}
